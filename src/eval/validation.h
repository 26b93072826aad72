// One metric on one part, computed again and again during training.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel.h"
#include "data/dataset.h"
#include "eval/candidates.h"
#include "eval/item_facts.h"
#include "eval/metric.h"
#include "eval/ranking.h"
#include "eval/user_means.h"
#include "recommender/scorer.h"
#include "recommender/user_sample.h"

namespace equipoise {

/// What is taken for a validation metric where nobody names one.
inline constexpr const char* kAutoMetric = "auto";
/// `asked`, or where that is auto: auc where the validation part has both labels (or no rows), and ndcg where it has
/// positives only.
std::string validation_metric(const Dataset& data, const std::string& asked);

/// A part with both labels is measured on its own items (test-items), one with positives only on the whole catalogue
/// (full), for a sample of users where there are many. Candidates are made once; a call scores them and gives the
/// metric's mean, without intervals. The data set must outlive it.
class ValidationMetric {
 public:
  /// UsageError if there is no such metric, DataError if it is not defined on the part (no rows, one label only).
  ValidationMetric(const Dataset& data, Part part, std::string_view metric, int k);

  /// CheckError if a score is not finite.
  double operator()(const Scorer& scorer);
  const MetricInfo& metric() const { return *metric_; }
  /// Whether `value` is better than `than` (NaN is never better, and anything is better than NaN).
  bool better(double value, double than) const { return equipoise::better(*metric_, value, than); }
  /// Whether it looks at the whole catalogue.
  bool over_catalogue() const { return candidates_.has_value(); }
  /// "ndcg@10 over all items but those of train (valid has positives only), of 790 of 7,000 users".
  std::string sentence() const;

 private:
  void choose_users(const Candidates& candidates, const SampleLimits& limits);
  void look_for_leaks();
  void check_defined();
  double of_own_items();
  double of_catalogue(const Scorer& scorer);
  bool add_by_lists(const Scorer& scorer, UserMeans& means);
  bool add_list(std::size_t place, std::span<const Recommended> list, UserMeans& means) const;
  void add_exactly(const Scorer& scorer, std::size_t place, UserMeans& means);

  const Dataset* data_;
  Part part_;
  const MetricInfo* metric_;
  int k_;
  std::optional<Candidates> candidates_;  // of the whole catalogue; nothing where it is the part's own items
  std::size_t all_users_ = 0;             // of the part
  std::vector<std::size_t> slots_;        // of those who are measured
  std::vector<std::int32_t> users_;       // (slots_) their numbers
  std::vector<std::uint8_t> leaky_;  // (slots_) whether lists of the catalogue are not what is ranked: a positive is
                                     // in train too and left out, or items are withheld
  std::optional<ItemFacts> facts_;   // where the metric needs more than the AUC over all pairs
  Ranker ranker_;
  ListBlock lists_;
  std::vector<float> scores_;
  Pool pool_{1};
};

}  // namespace equipoise
