// Draws which cells of a matrix of labels are shown.
#include "data/simulate/laboratory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/random.h"
#include "core/text.h"
#include "data/feature_rows.h"
#include "data/simulate/label_matrix.h"
#include "data/split.h"

namespace equipoise {

void LaboratoryParams::describe(Params& p) {
  p("strength", strength, "s: how much exposure follows the match of user and item; 0 = not at all", between(0, 100));
  p("popularity_weight", popularity_weight,
    "t: how much exposure follows the logarithm of the item's rows outside the matrix", between(-10, 10));
  p("hidden_weight", hidden_weight, "v: how much exposure follows a hidden factor of the labels themselves",
    between(-10, 10));
  p("density", density, "the share of all cells that are shown, on average", above(0), at_most(0.5));
  p("valid_cells", valid_cells, "cells of valid, drawn uniformly", at_least(100));
  p("test_cells", test_cells, "cells of test, drawn uniformly from all that are left; 0 = all", at_least(0));
  p("features", features, "write the features of users and items, the users' profiles among them");
  p("seed", seed, "names every draw");
}

namespace {

/// The chance of every cell to be shown.
class Law {
 public:
  Law(const Dataset& data, const LabelMatrix& matrix, const Covariates& x, const LaboratoryParams& params)
      : items_(matrix.items.size()), score_(matrix.cells(), 0.0f) {
    if (params.strength > 0) score_ = match_index(data, matrix, x);
    for (float& score : score_) score *= static_cast<float>(params.strength);
    std::vector<double> of_item(items_, 0.0), of_user(matrix.users.size(), 0.0);
    if (params.popularity_weight != 0) of_item = log_popularity(data, matrix);
    if (params.hidden_weight != 0) of_user = hidden_factor(matrix);
    for (std::size_t c = 0; c < score_.size(); ++c) {
      score_[c] += static_cast<float>(params.popularity_weight * of_item[c % items_] +
                                      params.hidden_weight * of_user[c / items_]);
    }
    solve(params.density);
  }

  double chance(std::size_t cell) const {
    return 1 / (1 + std::exp(-(intercept_ + static_cast<double>(score_[cell]))));
  }

 private:
  // Newton's steps on the logarithm of the mean chance, which is nearly straight in a.
  void solve(double density) {
    intercept_ = std::log(density / (1 - density));
    for (int round = 0; round < 100; ++round) {
      double sum = 0, slope = 0;
      for (std::size_t c = 0; c < score_.size(); ++c) {
        const double p = chance(c);
        sum += p, slope += p * (1 - p);
      }
      const double step = (std::log(density * static_cast<double>(score_.size())) - std::log(sum)) * sum / slope;
      intercept_ += std::clamp(step, -2.0, 2.0);
      if (std::abs(step) < 1e-9) return;
    }
    throw CheckError("no intercept gives exposure of that density");
  }

  std::size_t items_;
  std::vector<float> score_;  // (users × items) what is added to a
  double intercept_ = 0;      // a
};

/// `count` different cells of those that are free, marked with `mark`; each free cell is as likely as any other.
void draw_cells(std::vector<char>& part, std::size_t count, char mark, Stream stream) {
  while (count > 0) {
    char& cell = part[stream.below(static_cast<std::uint32_t>(part.size()))];
    if (cell != 0) continue;
    cell = mark;
    --count;
  }
}

constexpr char kTrain = 1, kValid = 2, kTest = 3;

/// Which part each cell belongs to. Valid is drawn before exposure, so that it is uniform whatever is shown.
std::vector<char> draw_parts(const LabelMatrix& matrix, const Law& law, const LaboratoryParams& params) {
  std::vector<char> part(matrix.cells(), 0);
  draw_cells(part, static_cast<std::size_t>(params.valid_cells), kValid, Stream(params.seed, "validation cells"));
  const std::size_t items = matrix.items.size();
  std::size_t left = 0;
  for (std::size_t u = 0; u < matrix.users.size(); ++u) {
    Stream stream(params.seed, "exposure of a user", u);
    for (std::size_t c = u * items; c < (u + 1) * items; ++c) {
      const bool shown = stream.uniform() < law.chance(c);
      if (shown && part[c] == 0) part[c] = kTrain;
      left += part[c] == 0;
    }
  }
  const auto asked = static_cast<std::size_t>(params.test_cells);
  if (asked > left) {
    throw UsageError(fmt::format("test_cells = {}: only {} cells are left", params.test_cells,
                                 thousands(static_cast<std::int64_t>(left))));
  }
  if (asked > 0) {
    draw_cells(part, asked, kTest, Stream(params.seed, "test cells"));
  } else {
    for (char& cell : part) cell = cell == 0 ? kTest : cell;
  }
  return part;
}

Parts rows_of(const LabelMatrix& matrix, const Law& law, const std::vector<char>& part) {
  Parts out;
  Rows* const rows[] = {nullptr, &out.train, &out.valid, &out.test};
  const std::size_t items = matrix.items.size();
  for (std::size_t c = 0; c < part.size(); ++c) {
    if (part[c] == 0) continue;
    Rows& to = *rows[static_cast<unsigned char>(part[c])];
    to.user.push_back(static_cast<std::int32_t>(c / items));
    to.item.push_back(static_cast<std::int32_t>(c % items));
    to.label.push_back(matrix.labels[c]);
    if (part[c] == kTrain) to.propensity.push_back(static_cast<float>(law.chance(c)));
  }
  out.rule = "exposure drawn over a matrix of known labels; valid is uniform over its cells, test what was not shown";
  out.test_part = "unbiased";
  return out;
}

void add_profiles(const Covariates& x, Features& features) {
  for (std::size_t c = 0; c < x.names.size(); ++c) {
    ContinuousField& field = features.continuous.emplace_back(ContinuousField{"profile_" + x.names[c], {}});
    for (std::size_t k = c; k < x.users.size(); k += x.width) field.values.push_back(x.users[k]);
  }
}

}  // namespace

Dataset draw_exposure(const Dataset& matrix, const LaboratoryParams& params) {
  const LabelMatrix labels(matrix);
  if (static_cast<std::size_t>(params.valid_cells) > labels.cells() / 2) {
    throw UsageError(fmt::format("valid_cells = {}: more than half of the {} cells", params.valid_cells,
                                 thousands(static_cast<std::int64_t>(labels.cells()))));
  }
  const Covariates x = covariates(matrix, labels);
  const Law law(matrix, labels, x, params);
  Dataset out;
  out.name = matrix.name + " laboratory";
  for (const std::int32_t u : labels.users) out.users.add(matrix.users.name(u));
  for (const std::int32_t i : labels.items) out.items.add(matrix.items.name(i));
  if (params.features) {
    out.user_features = feature_rows(matrix.user_features, labels.users);
    out.user_features.rows = out.users.size();
    add_profiles(x, out.user_features);
    out.item_features = feature_rows(matrix.item_features, labels.items);
  }
  set_parts(out, rows_of(labels, law, draw_parts(labels, law, params)), false);
  out.provenance["source"] = "laboratory";
  out.provenance["labels"] = matrix.name;
  out.provenance["labels_fingerprint"] = matrix.fingerprint();
  LaboratoryParams copy = params;
  Params described;
  copy.describe(described);
  for (const Param& p : described.all()) out.provenance[p.name()] = p.json();
  check_trainable(out);
  return out;
}

}  // namespace equipoise
