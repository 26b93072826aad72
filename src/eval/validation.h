// One metric on one part's own items, computed again and again during training.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/parallel.h"
#include "data/dataset.h"
#include "eval/candidates.h"
#include "eval/item_facts.h"
#include "eval/metric.h"
#include "recommender/scorer.h"

namespace equipoise {

/// Candidates (test-items) are made once; a call scores them and gives the metric's mean, without intervals.
/// The data set must outlive it.
class ValidationMetric {
 public:
  /// UsageError if there is no such metric, DataError if it is not defined on the part (no rows, one label only).
  ValidationMetric(const Dataset& data, Part part, std::string_view metric, int k);

  /// CheckError if a score is not finite.
  double operator()(const Scorer& scorer);
  const MetricInfo& metric() const { return *metric_; }
  /// Whether `value` is better than `than` (NaN is never better, and anything is better than NaN).
  bool better(double value, double than) const { return equipoise::better(*metric_, value, than); }

 private:
  double value();

  const Dataset* data_;
  const MetricInfo* metric_;
  int k_;
  std::optional<ItemFacts> items_;  // where the metric needs more than the AUC over all pairs
  std::size_t users_;
  ListBlock lists_;
  std::vector<float> scores_;
  Pool pool_{1};
};

}  // namespace equipoise
