// Memory of a run, counted from the sizes of what it holds.
#include "train/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "eval/metric.h"
#include "eval/tally.h"
#include "eval/validation.h"

namespace equipoise {

namespace {

constexpr std::uint64_t kProgram = std::uint64_t{24} << 20;  // code, libraries, the allocator's own

std::uint64_t size_of(const Rows& rows) {
  std::uint64_t bytes = 0;
  each_column(rows, [&](const auto& column) { bytes += column.capacity() * sizeof(column[0]); });
  return bytes;
}

// A text of up to 15 bytes lies in its 32.
std::uint64_t size_of(const IdMap& ids) {
  std::uint64_t heap = 0;
  for (const std::string& name : ids.names()) heap += name.size() > 15 ? name.size() + 17 : 0;
  return heap + 32 * ids.names().size() + ids.table_bytes();
}

std::uint64_t size_of(const Features& features) {
  std::uint64_t numbers = 0;
  for (const CategoricalField& f : features.categorical) numbers += f.offsets.size() + f.codes.size();
  for (const ContinuousField& f : features.continuous) numbers += f.values.size();
  return 4 * numbers;
}

// Adam remembers two numbers for each trained number, Adagrad one.
std::uint64_t memories(const TrainParams& params) {
  return params.optimizer.name.ends_with("adam") ? 2 : params.optimizer.name == "sgd" ? 0 : 1;
}

void add_training(MemoryPlan& plan, std::uint64_t numbers, bool valid, const TrainParams& params) {
  plan.parts.push_back({"trained arrays", 4 * numbers});
  plan.parts.push_back({"the optimiser's memory", 4 * numbers * memories(params)});
  if (valid) plan.parts.push_back({"the best epoch so far", 4 * numbers});
}

// Lists, scores and the pairs of the AUC; for another metric everything that is kept of a user and of a list.
std::uint64_t validation_size(const Dataset& data, const TrainParams& params) {
  const std::uint64_t rows = data.valid.size(),
                      users = std::min<std::uint64_t>(rows, static_cast<std::uint64_t>(data.users.size()));
  const MetricInfo& metric = find_metric(validation_metric(data, params.metric));
  const bool auc_alone = std::holds_alternative<OfAllPairs>(metric.function);
  if (count_labels(data.valid).positives_only()) {  // what users have had, and one list at a time
    return 8 * (rows + data.train.size()) + 64 * users + 24 * static_cast<std::uint64_t>(data.items.size());
  }
  return 22 * rows + users * (16 + (auc_alone ? 0 : Tally::bytes_per_user()));
}

std::uint64_t data_size(const Dataset& data) {
  return size_of(data.train) + size_of(data.valid) + size_of(data.test) + size_of(data.users) + size_of(data.items) +
         size_of(data.user_features) + size_of(data.item_features);
}

// A map of continuous features reads them as numbers of the model's own, row by row.
std::uint64_t standardised_numbers(const TrainedArray& map, const Catalogue& catalogue) {
  std::uint64_t out = 0;
  for (const auto& [name, entities] :
       {std::pair{"/user.continuous", &catalogue.users}, {"/item.continuous", &catalogue.items}}) {
    if (!map.name().ends_with(name)) continue;
    out += map.rows() * entities->features.holders.held(static_cast<std::size_t>(entities->count));
  }
  return out;
}

// What a step takes for its pairs' bags of items: their numbers, labels and shares (twice where both tables are summed,
// and once more for the graph), and an entry's gradient that an attention layer keeps.
std::uint64_t bags_size(const Recommender& recommender, std::uint64_t pairs) {
  const HistoryParams& params = recommender.recipe().model().history;
  const UserItems& history = recommender.catalogue().history;
  std::uint64_t longest = 0;
  for (std::size_t u = 0; u + 1 < history.offsets.size(); ++u) {
    longest = std::max<std::uint64_t>(longest, static_cast<std::uint64_t>(history.offsets[u + 1] - history.offsets[u]));
  }
  const std::uint64_t entries = pairs * std::min(longest, static_cast<std::uint64_t>(params.most));
  const std::uint64_t shares =
      (params.shown() ? 1U : 0U) + (params.with_labels() ? 1U : 0U) + (params.graph_layers > 0 ? 1U : 0U);
  const auto width = static_cast<std::uint64_t>(recommender.recipe().model().representation.width);
  return 4 * entries * (2 + shares + (params.order == "last" ? 2 * width : 0));
}

}  // namespace

void MemoryParams::describe(Params& p) {
  p("memory_limit", memory_limit, "refuse to train if it would take more memory than this (2G, 512M); empty: no limit");
}

std::uint64_t MemoryPlan::total() const {
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Part& part) { return sum + part.bytes; });
}

std::string MemoryPlan::text() const {
  std::vector<std::string> list;
  for (const Part& part : parts) list.push_back(fmt::format("{} {}", bytes_text(part.bytes), part.what));
  return fmt::format("{} ({})", bytes_text(total()), join(list, ", "));
}

void MemoryPlan::check(std::uint64_t limit) const {
  if (limit == 0 || total() <= limit) return;
  throw Error(fmt::format("training would take about {}, and memory_limit is {}", text(), bytes_text(limit)));
}

MemoryPlan least_memory(const Dataset& data, int width, const TrainParams& params, int holders) {
  MemoryPlan plan{{{"data", data_size(data)}}};
  const auto entities = static_cast<std::uint64_t>(data.users.size()) + static_cast<std::uint64_t>(data.items.size());
  add_training(plan, entities * static_cast<std::uint64_t>(width) / static_cast<std::uint64_t>(holders),
               !data.valid.empty(), params);
  return plan;
}

MemoryPlan plan_memory(const Recommender& recommender, const Dataset& data, const TrainParams& params) {
  std::uint64_t numbers = 0, sparse = 0, columns = 0, standardised = 0;
  for (const Network& network : recommender.networks().all()) {
    for (const TrainedArray& p : network.arrays()) {
      numbers += p.held() * p.cols();
      standardised += standardised_numbers(p, recommender.catalogue());
      columns += std::min<std::uint64_t>(p.cols(), 1024);
      // A table keeps a number for each row, to find the rows that a step has touched; others a whole gradient.
      sparse += 4 * (p.is_table() ? p.held() : p.rows() * p.cols());
      if (p.fetched() != nullptr) sparse += 4 * p.rows();  // where each is among those that were fetched
    }
  }
  const auto users = static_cast<std::uint64_t>(data.users.size()), rows = std::uint64_t{data.train.size()};
  const std::uint64_t batch = std::min(static_cast<std::uint64_t>(params.batch_size), rows);  // a log has no more
  const Needs needs = recommender.recipe().method().needs();
  const std::uint64_t drawn =
      static_cast<std::uint64_t>(needs.drawn) + static_cast<std::uint64_t>(needs.against.per_row);
  const std::uint64_t pairs = batch * (1 + drawn);
  const std::uint64_t ids = size_of(recommender.users()) + size_of(recommender.items());
  const Catalogue& catalogue = recommender.catalogue();
  const std::uint64_t features = size_of(catalogue.users.features) + size_of(catalogue.items.features);
  MemoryPlan plan;
  plan.parts.push_back({"data", data_size(data)});
  // Ids and features travel with the model; so does what each user has seen; rows have an order, and where pairs are
  // drawn an index of those in the log.
  plan.parts.push_back(
      {"the model's copies of ids, features and seen items",
       ids + features + 4 * standardised + 16 * users + 8 * rows + (drawn > 0 ? 8 * rows + 8 * users : 0)});
  const UserItems& history = catalogue.history;
  if (!history.empty()) {
    plan.parts.push_back(
        {"histories", 8 * history.offsets.size() + 8 * history.items.size() + bags_size(recommender, pairs)});
  }
  add_training(plan, numbers, !data.valid.empty(), params);
  if (!data.valid.empty()) plan.parts.push_back({"validation", validation_size(data, params)});
  plan.parts.push_back({"gradients and a step's values", sparse + 16 * pairs * columns + kProgram});
  return plan;
}

std::uint64_t parse_bytes(const std::string& text, const std::string& name) {
  if (text.empty()) return 0;
  const std::size_t digits = text.find_first_not_of("0123456789.");
  const std::string number = text.substr(0, digits), unit = digits == std::string::npos ? "" : text.substr(digits);
  const auto value = parse_double(number);
  double factor = 0;
  for (const auto& [letter, times] : {std::pair{'K', 0x1.0p10}, std::pair{'M', 0x1.0p20}, std::pair{'G', 0x1.0p30}}) {
    const std::string one(1, letter);
    if (unit == one || unit == one + "B" || unit == one + "iB") factor = times;
  }
  if (unit.empty()) factor = 1;
  if (!value || factor == 0 || *value * factor >= 0x1.0p63) {
    throw UsageError(
        fmt::format("{}: {} is no amount of memory; expected for instance 2G or 512M", name, in_quotes(text)));
  }
  return static_cast<std::uint64_t>(*value * factor);
}

std::string bytes_text(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value >= 0x1.0p30) return fmt::format("{:.1f} GiB", value / 0x1.0p30);
  if (value >= 0x1.0p20) return fmt::format("{:.0f} MiB", value / 0x1.0p20);
  return fmt::format("{:.0f} KiB", value / 0x1.0p10);
}

}  // namespace equipoise
