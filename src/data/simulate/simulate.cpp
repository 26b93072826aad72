// Draws lists from the simulated world and writes its truth.
#include "data/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "core/error.h"
#include "core/file.h"
#include "core/random.h"
#include "data/simulate/train_lists.h"
#include "data/simulate/world.h"
#include "data/simulate/zipf.h"

namespace equipoise {

void SimulateParams::describe(Params& p) {
  p("users", users, "number of users", between(2, 2e9));
  p("items", items, "number of items", between(2, 1e8));
  p("width", width, "number of features of a user, and of an item", at_least(1));
  p("alpha", alpha, "how random exposure is: at 1 every item has the same odds, whoever the user", between(0, 1));
  p("beta", beta, "weight of the latent confounder in exposure and in feedback", between(0, 1));
  p("list_length", list_length, "items in a list; less than the number of items", at_least(1));
  p("law", law,
    "lists: the same number of rows for every user; zipf: an item's odds of being shown also fall with its number and "
    "users differ in activity, for logs of any size",
    one_of({"lists", "zipf"}));
  p("rows", rows, "rows of train by the law zipf, from one a user on; 0 = users × list_length", at_least(0));
  p("slope", slope, "of the law zipf: item n's odds are multiplied by n to the power −slope", between(0, 3));
  p("activity", activity,
    "of the law zipf: after one row for each user, the next one goes to user n with odds of n to the power −activity",
    between(0, 3));
  p("noise", noise, "standard deviation (not variance) of the normal noise in the exposure score", at_least(0));
  p("literal", literal, "feedback by the printed formula, in which the latent confounder alone decides");
  p("features", features, "write the features of users and items");
  p("truth", truth, "write exposure odds, preference and label of every pair beside the log");
  p("strength", strength,
    "s: how much exposure follows the match of user and item; 0 = not beyond the printed formula (over labels: 1 "
    "unless "
    "given)",
    between(0, 100), only_if_set());
  p("instrument", instrument,
    "ι: moves exposure from features that decide labels (0) to further features that do not (1)", between(0, 1),
    only_if_set());
  p("chances", propensity, "write the chance that each row of train was shown; of the law lists", only_if_set());
  p("seed", seed, "names every draw");
  split.describe(p);
}

namespace {

void check(const SimulateParams& params) {
  if (params.list_length >= params.items) {
    throw UsageError(
        fmt::format("list_length = {}: must be less than the number of items, {}", params.list_length, params.items));
  }
  const SimulateParams defaults;
  if (is_zipf(params)) {
    if (params.propensity) throw UsageError("chances belongs to the law lists, and the law is zipf");
    return check_zipf(params);
  }
  for (const auto& [name, given] :
       {std::pair{"rows", params.rows != defaults.rows}, std::pair{"slope", params.slope != defaults.slope},
        std::pair{"activity", params.activity != defaults.activity}}) {
    if (given) throw UsageError(fmt::format("{} belongs to the law zipf, and the law is {}", name, params.law));
  }
}

IdMap numbered(char letter, int count) {
  std::vector<std::string> names(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) names[static_cast<std::size_t>(k)] = fmt::format("{}{}", letter, k + 1);
  return IdMap(std::move(names));
}

/// How many unbiased rows each user has: lists for drawn users until there is one row for three of train.
std::vector<int> unbiased_lengths(const SimulateParams& params) {
  const std::int64_t train = train_rows(params);
  std::int64_t left = (2 * train + 3) / 6;  // train / 3, rounded
  std::vector<int> order(static_cast<std::size_t>(params.users)), lengths(order.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  Stream(params.seed, "users with unbiased lists").shuffle(std::span(order));
  const std::int64_t length = std::min(params.list_length, params.items - params.list_length);
  for (const int u : order) {
    lengths[static_cast<std::size_t>(u)] = static_cast<int>(std::min(left, length));
    left -= lengths[static_cast<std::size_t>(u)];
  }
  return lengths;
}

/// The unbiased list is drawn first, from all items, so that it is exactly uniform; the train list then comes from the
/// other items, so that no pair occurs in both.
void draw_lists(const SimulateParams& params, const SimulatedWorld& world, int u, int unbiased_length,
                TrainLists& lists, Rows& train, Rows& unbiased) {
  const auto user = static_cast<std::uint64_t>(u);
  std::vector<std::uint32_t> items(world.exposure_odds().size());
  std::iota(items.begin(), items.end(), 0u);
  if (unbiased_length > 0) {
    Stream stream(params.seed, "unbiased list", user);
    stream.shuffle(std::span(items));
    const auto end = items.begin() + unbiased_length;
    for (auto j = items.begin(); j != end; ++j) append_simulated(unbiased, world, u, *j);
    items.erase(items.begin(), end);
  }
  std::vector<double> odds(items.size());
  for (std::size_t k = 0; k < items.size(); ++k) odds[k] = world.exposure_odds()[items[k]];
  Stream stream(params.seed, "train list", user);
  for (const std::uint32_t k : lists.draw(odds, stream)) append_simulated(train, world, u, items[k]);
  train.propensity.insert(train.propensity.end(), lists.chances().begin(), lists.chances().end());
}

/// A column for each feature that decides labels, then, where there are instruments, one for each of those.
Features empty_features(const SimulateParams& params, char own, char instrument, int rows) {
  Features features;
  features.rows = rows;
  for (const char letter : {own, instrument}) {
    if (!params.features || (letter == instrument && params.instrument == 0)) continue;
    for (int k = 0; k < params.width; ++k) {
      features.continuous.push_back({fmt::format("{}{}", letter, k + 1), {}});
      features.continuous.back().values.resize(static_cast<std::size_t>(rows));
    }
  }
  return features;
}

void set_row(Features& features, int row, const SimulatedOne& one) {
  const std::size_t width = one.own.values.size();
  for (std::size_t k = 0; k < features.continuous.size(); ++k) {
    const float value = k < width ? one.own.values[k] : one.instrument.values[k - width];
    features.continuous[k].values[static_cast<std::size_t>(row)] = value;
  }
}

}  // namespace

Dataset simulate(const SimulateParams& params) {
  check(params);
  Dataset data;
  data.name = "simulated";
  data.users = numbered('u', params.users);
  data.items = numbered('i', params.items);
  data.user_features = empty_features(params, 'p', 'r', params.users);
  data.item_features = empty_features(params, 'q', 's', params.items);

  SimulatedWorld world(params);
  for (int j = 0; j < params.items; ++j) set_row(data.item_features, j, world.item(j));
  const std::vector<int> lengths = unbiased_lengths(params);
  Rows train, unbiased;
  TrainLists lists(params);
  const auto zipf = is_zipf(params) ? std::make_unique<ZipfLists>(params) : nullptr;
  for (int u = 0; u < params.users; ++u) {
    const int unbiased_length = lengths[static_cast<std::size_t>(u)];
    if (zipf) {
      world.meet(u);
      zipf->draw(world, u, unbiased_length, train, unbiased);
    } else {
      world.move_to(u);
      draw_lists(params, world, u, unbiased_length, lists, train, unbiased);
    }
    set_row(data.user_features, u, world.user());
  }

  data.provenance["source"] = "simulate";
  Parts parts = split_unbiased(unbiased, params.split, params.seed);
  parts.train = std::move(train);
  set_parts(data, std::move(parts), false);
  Params described;
  SimulateParams copy = params;  // what is described must live as long as the description
  copy.describe(described);
  const Json told = described.to_json();
  for (const auto& [name, value] : told.as_object()) {
    const bool of_zipf = name == "law" || name == "rows" || name == "slope" || name == "activity";
    if (name != "truth" && (zipf || !of_zipf)) data.provenance[name] = value;
  }
  return data;
}

std::vector<ExtraFile> truth_of(const SimulateParams& params) {
  if (!params.truth) return {};
  return {{"truth.csv", [params](const std::string& path) { write_truth(params, path); }}};
}

void write_truth(const SimulateParams& params, const std::string& path) {
  check(params);
  AtomicFile file(path);
  file.write("user,item,exposure_odds,preference,label\n");
  SimulatedWorld world(params);
  std::string lines;
  for (int u = 0; u < params.users; ++u) {
    world.move_to(u);
    lines.clear();
    for (int j = 0; j < params.items; ++j) {
      fmt::format_to(std::back_inserter(lines), "u{},i{},{},{},{}\n", u + 1, j + 1,
                     world.exposure_odds()[static_cast<std::size_t>(j)], world.preference(j), world.label(j));
    }
    file.write(lines);
  }
  file.commit();
}

}  // namespace equipoise
