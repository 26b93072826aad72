// A metric is one row of one table, and the row says everything about it.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "eval/auc.h"

namespace equipoise {

struct PairSums;
struct RankedList;
struct ShownTotals;

// What a metric is a function of. Which of the four it is decides how the metric is averaged.

/// The AUC over the pairs of all users together.
struct OfAllPairs {
  double (*value)(const PooledAuc& auc, Counts counts);
};
/// Sums over the pairs of all users together.
struct OfPairSums {
  double (*value)(const PairSums& sums);
};
/// One list. The value is averaged over a user's lists, then over users. Lists without a positive, and those where it
/// is NaN, have no value. Without a weight each list of a user counts once, and then each user once; with one, lists
/// count by it and users by the sum of theirs.
struct OfList {
  double (*value)(const RankedList& list);
  double (*weight)(const RankedList& list) = nullptr;
};
/// The items among the first k of all lists together.
struct OfShown {
  double (*value)(const ShownTotals& shown);
};

/// The labels without which a metric is not defined.
enum class LabelNeed { nothing, a_positive, both_labels };

/// How an interval is made of the values in resamples of users (see bootstrap.h).
enum class IntervalRule { percentile, recentred };

struct MetricInfo {
  std::string name;
  std::string sentence;
  std::variant<OfAllPairs, OfPairSums, OfList, OfShown> function;
  bool higher_is_better = true;
  bool cut_at_k = false;  // looks at the first k places only
  LabelNeed needs = LabelNeed::nothing;
  IntervalRule interval = IntervalRule::percentile;
  int decimals = 4;  // in tables for people
  /// What users without a positive count as where they are not left out, by a convention of the field; NaN = there is
  /// no such convention.
  double of_empty = std::numeric_limits<double>::quiet_NaN();

  /// A ranking metric: it has a value for each user.
  bool per_list() const { return std::holds_alternative<OfList>(function); }
  bool of_shown() const { return std::holds_alternative<OfShown>(function); }
};

/// In the order in which they are printed.
const std::vector<MetricInfo>& metric_table();
/// UsageError, with a suggestion, if there is none of that name.
const MetricInfo& find_metric(std::string_view name);
/// A metric at one k: under its own name at the first, as "ndcg@20" at the others.
struct MetricAt {
  const MetricInfo* metric;
  std::size_t place;  // of its k among those asked for
  std::string name;
};
/// What is measured where several k are asked for: the whole table at the first, those that are cut at the others.
std::vector<MetricAt> metrics_at(const std::vector<int>& k);
/// The metric of "ndcg" or "ndcg@20"; UsageError as find_metric.
const MetricInfo& metric_of_name(std::string_view name);
/// As tables call it where the plain name stands for that k: "ndcg@10", "auc".
std::string metric_label(std::string_view name, int k);

/// Whether `value` is better than `than`: NaN is never better, and anything else is better than NaN.
bool better(const MetricInfo& metric, double value, double than);

/// One value per row of the table, in its order; NaN = not defined.
using MetricValues = std::vector<double>;

}  // namespace equipoise
