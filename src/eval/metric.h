// The metrics by name: what each one is, and which way is better.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// In the order in which they are printed.
enum class Metric {
  auc,
  acc,
  ndcg,
  recall,
  precision,
  hit_rate,
  mrr,
  map,
  user_auc,
  log_loss,
  mse,
  ece,
  coverage,
  gini,
  mean_popularity
};
inline constexpr std::size_t kMetrics = 15;

/// ndcg … user_auc: one value per list, averaged over a user's lists and then over users.
inline constexpr std::size_t kRankingMetrics = 7;
constexpr bool is_ranking(Metric metric) { return metric >= Metric::ndcg && metric <= Metric::user_auc; }

struct MetricInfo {
  Metric metric;
  std::string name;
  std::string sentence;
  bool higher_is_better;
};

const std::vector<MetricInfo>& metric_table();
const MetricInfo& info(Metric metric);
/// UsageError, with a suggestion, if there is none of that name.
const MetricInfo& find_metric(std::string_view name);

/// One value per ranking metric; NaN = not defined.
class RankingValues {
 public:
  explicit RankingValues(double value = 0) { values_.fill(value); }
  double& operator[](Metric metric) { return values_[index(metric)]; }
  double operator[](Metric metric) const { return values_[index(metric)]; }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  static std::size_t index(Metric metric) {
    return static_cast<std::size_t>(metric) - static_cast<std::size_t>(Metric::ndcg);
  }
  std::array<double, kRankingMetrics> values_;
};

/// One value per metric.
using MetricValues = std::array<double, kMetrics>;

}  // namespace equipoise
