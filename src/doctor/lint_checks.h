// The linter's checks by kind of rule, and what they write their findings to.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doctor/lint.h"
#include "eval/candidates.h"
#include "eval/metric.h"
#include "eval/ranking.h"

namespace equipoise {

/// Where checks put what they find. A rule that the table does not have is a mistake of ours.
class LintReport {
 public:
  template <class... Args>
  void add(std::string_view rule, bool refuses, fmt::format_string<Args...> text, Args&&... args) {
    put(rule, refuses, fmt::format(text, std::forward<Args>(args)...));
  }
  std::vector<LintFinding> take() { return std::move(findings_); }

 private:
  void put(std::string_view rule, bool refuses, std::string sentence);
  std::vector<LintFinding> findings_;
};

inline constexpr std::size_t kFewestLabels = 10;  // positives, negatives, users: with fewer nothing can be told
inline constexpr std::size_t kFewLabels = 100;  // an AUC's error, about 0.29 ÷ √(the rarer label), is then above 0.03
inline constexpr std::size_t kFewUsers = 30;    // a paired test over fewer users finds only large differences
inline constexpr double kFewUsersShare = 0.1;   // of the users who have a value
inline constexpr double kOneLabel = 0.95;       // share of pairs with one label, beyond which accuracy says little
inline constexpr double kColdShare = 0.1;       // of test rows
inline constexpr double kNotUniformP = 0.001;   // the smallest that item_uniformity's random logs can give
inline constexpr double kNotUniformSpread = 0.2;  // of the mean; a large part is significant at the least departure
inline constexpr double kSameRatio = 1e-3;        // relative, of two propensity ratios: columns are often rounded

/// Those asked for, or that of the test part.
std::vector<Protocol> protocols_of(const Dataset& data, const PlannedComparison& planned);
bool named(const std::vector<std::string>& names, std::string_view name);

// Parts: missing, shared, of one label, too small, unknown to train, not what they are called.
void check_parts(const Dataset& data, const PlannedComparison& planned, LintReport& report);

// Metrics: what no order of the lists could change, what few users decide, what one answer for all gets.
void check_metrics(const Dataset& data, const PlannedComparison& planned, LintReport& report);

// Columns: constant features, weights and propensities; propensities out of range or from test labels.
void check_columns(const Dataset& data, const PlannedComparison& planned, LintReport& report);

/// Whether a metric can depend on the order of a list of that shape. Of ranking metrics: its value is defined, and the
/// best order differs in it from the worst. True for metrics of the scores themselves.
bool order_matters(const MetricInfo& metric, const ListShape& list, const Ranker& ranker);

}  // namespace equipoise
