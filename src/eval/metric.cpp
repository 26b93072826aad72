// The table of metrics.
#include "eval/metric.h"

#include <fmt/format.h>

#include <cmath>

#include "core/named.h"
#include "eval/list_metrics.h"
#include "eval/pooled.h"
#include "eval/shown_items.h"

namespace equipoise {

const std::vector<MetricInfo>& metric_table() {
  static const std::vector<MetricInfo> table = {
      {.name = "auc",
       .sentence = "chance that a positive pair scores above a negative one, over all pairs; ties count half",
       .function = OfAllPairs{[](const PooledAuc& auc, Counts counts) { return auc.value(counts); }},
       .needs = LabelNeed::both_labels},
      {.name = "acc",
       .sentence = "share of pairs on the right side of probability 0.5 (0.5 itself counts as positive)",
       .function = OfPairSums{[](const PairSums& sums) { return sums.correct / sums.pairs; }}},
      {.name = "ndcg",
       .sentence = "discounted gain of the first k, over that of the best order",
       .function = OfList{ndcg},
       .cut_at_k = true,
       .needs = LabelNeed::a_positive,
       .of_empty = 1},
      {.name = "recall",
       .sentence = "relevant items among the first k, over all relevant items of the list",
       .function = OfList{recall},
       .cut_at_k = true,
       .needs = LabelNeed::a_positive},
      {.name = "precision",
       .sentence = "relevant items among the first k, over k",
       .function = OfList{precision},
       .cut_at_k = true,
       .needs = LabelNeed::a_positive},
      {.name = "hit_rate",
       .sentence = "chance that the first k hold a relevant item",
       .function = OfList{hit_rate},
       .cut_at_k = true,
       .needs = LabelNeed::a_positive},
      {.name = "mrr",
       .sentence = "one over the place of the first relevant item, in the whole list",
       .function = OfList{reciprocal_rank},
       .needs = LabelNeed::a_positive},
      {.name = "map",
       .sentence = "mean over relevant items of the precision at their place, in the whole list",
       .function = OfList{average_precision},
       .needs = LabelNeed::a_positive},
      {.name = "user_auc",
       .sentence = "AUC within each list, mean over the users who have both labels",
       .function = OfList{list_auc},
       .needs = LabelNeed::both_labels},
      {.name = "auc_user_weighted",
       .sentence = "AUC within each list, mean over users by how many positive-negative pairs their lists hold",
       .function = OfList{list_auc, list_auc_pairs},
       .needs = LabelNeed::both_labels},
      {.name = "log_loss",
       .sentence = "mean binary cross-entropy over all pairs",
       .function = OfPairSums{[](const PairSums& sums) { return sums.log_loss / sums.pairs; }},
       .higher_is_better = false},
      {.name = "mse",
       .sentence = "mean squared difference of probability and label over all pairs",
       .function = OfPairSums{[](const PairSums& sums) { return sums.squared / sums.pairs; }},
       .higher_is_better = false},
      {.name = "rmse",
       .sentence = "root of the mean squared difference of probability and label over all pairs",
       .function = OfPairSums{[](const PairSums& sums) { return std::sqrt(sums.squared / sums.pairs); }},
       .higher_is_better = false},
      {.name = "ece",
       .sentence = "calibration error: mean gap of probability and label in 15 equal bins of probability",
       .function = OfPairSums{calibration_error},
       .higher_is_better = false,
       .interval = IntervalRule::recentred},
      {.name = "coverage",
       .sentence = "share of all items that occur among the first k of some whole list",
       .function =
           OfShown{[](const ShownTotals& shown) { return shown.covered / static_cast<double>(shown.times.size()); }},
       .cut_at_k = true,
       .interval = IntervalRule::recentred},  // which changes little here; earlier stores counted resamples anew
      {.name = "gini",
       .sentence = "inequality of how often items occur among the first k of whole lists: 0 equal, 1 one item only",
       .function = OfShown{[](const ShownTotals& shown) { return gini(shown.times); }},
       .higher_is_better = false,
       .cut_at_k = true,
       .interval = IntervalRule::recentred},
      {.name = "mean_popularity",
       .sentence = "mean number of train rows of the items among the first k of whole lists",
       .function = OfShown{[](const ShownTotals& shown) { return shown.mean_popularity; }},
       .higher_is_better = false,
       .cut_at_k = true,
       .decimals = 1},
  };
  return table;
}

const MetricInfo& find_metric(std::string_view name) { return find_named(metric_table(), name, "metric"); }

std::vector<MetricAt> metrics_at(const std::vector<int>& k) {
  std::vector<MetricAt> out;
  for (std::size_t place = 0; place < k.size(); ++place) {
    for (const MetricInfo& metric : metric_table()) {
      if (place == 0) out.push_back({&metric, place, metric.name});
      if (place > 0 && metric.cut_at_k) out.push_back({&metric, place, metric_label(metric.name, k[place])});
    }
  }
  return out;
}

const MetricInfo& metric_of_name(std::string_view name) {
  const std::size_t at = name.find('@');
  const MetricInfo& metric = find_metric(name.substr(0, at));
  return at == std::string_view::npos || metric.cut_at_k ? metric : find_metric(name);
}

std::string metric_label(std::string_view name, int k) {
  const bool plain = name.find('@') == std::string_view::npos && metric_of_name(name).cut_at_k;
  return plain ? fmt::format("{}@{}", name, k) : std::string(name);
}

bool better(const MetricInfo& metric, double value, double than) {
  if (std::isnan(value) || std::isnan(than)) return !std::isnan(value) && std::isnan(than);
  return metric.higher_is_better ? value > than : value < than;
}

}  // namespace equipoise
