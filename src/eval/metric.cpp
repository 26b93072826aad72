// The table of metrics.
#include "eval/metric.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"

namespace equipoise {

const std::vector<MetricInfo>& metric_table() {
  static const std::vector<MetricInfo> table = {
      {Metric::auc, "auc", "chance that a positive pair scores above a negative one, over all pairs; ties count half",
       true},
      {Metric::acc, "acc", "share of pairs on the right side of probability 0.5 (0.5 itself counts as positive)", true},
      {Metric::ndcg, "ndcg", "discounted gain of the first k, over that of the best order", true},
      {Metric::recall, "recall", "relevant items among the first k, over all relevant items of the list", true},
      {Metric::precision, "precision", "relevant items among the first k, over k", true},
      {Metric::hit_rate, "hit_rate", "chance that the first k hold a relevant item", true},
      {Metric::mrr, "mrr", "one over the place of the first relevant item, in the whole list", true},
      {Metric::map, "map", "mean over relevant items of the precision at their place, in the whole list", true},
      {Metric::user_auc, "user_auc", "AUC within each list, mean over the users who have both labels", true},
      {Metric::log_loss, "log_loss", "mean binary cross-entropy over all pairs", false},
      {Metric::mse, "mse", "mean squared difference of probability and label over all pairs", false},
      {Metric::ece, "ece", "calibration error: mean gap of probability and label in 15 equal bins of probability",
       false},
      {Metric::coverage, "coverage", "share of all items that stand among the first k of some list", true},
      {Metric::gini, "gini", "inequality of how often items stand among the first k: 0 equal, 1 one item only", false},
      {Metric::mean_popularity, "mean_popularity", "mean number of train rows of the items among the first k", false},
  };
  return table;
}

const MetricInfo& info(Metric metric) { return metric_table()[static_cast<std::size_t>(metric)]; }

const MetricInfo& find_metric(std::string_view name) {
  std::vector<std::string> known;
  for (const MetricInfo& entry : metric_table()) {
    if (entry.name == name) return entry;
    known.push_back(entry.name);
  }
  throw UsageError(fmt::format("unknown metric '{}'{}", name, suggest(name, known)));
}

}  // namespace equipoise
