// Matching users of two evaluations and resampling their differences.
#include "eval/paired.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "eval/bootstrap.h"

namespace equipoise {

namespace {

const std::vector<double>& user_values(const Evaluation& evaluation, std::string_view metric) {
  const MetricInfo& entry = find_metric(metric);
  if (!is_ranking(entry.metric)) {
    throw UsageError(fmt::format("metric '{}' has no value per user, expected one of ndcg … user_auc", metric));
  }
  return evaluation.per_user.at(entry.name);
}

void check_comparable(const Evaluation& a, const Evaluation& b) {
  if (a.protocol == b.protocol && a.k == b.k && a.part == b.part) return;
  throw UsageError(fmt::format("cannot pair {} at k = {} on {} with {} at k = {} on {}: expected the same of both",
                               a.protocol, a.k, to_string(a.part), b.protocol, b.k, to_string(b.part)));
}

std::vector<double> differences(const Evaluation& a, const Evaluation& b, std::string_view metric) {
  const std::vector<double>&x = user_values(a, metric), &y = user_values(b, metric);
  std::vector<double> out;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (a.users[i] != b.users[j]) {
      ++(a.users[i] < b.users[j] ? i : j);
      continue;
    }
    const double difference = x[i++] - y[j++];
    if (!std::isnan(difference)) out.push_back(difference);
  }
  return out;
}

}  // namespace

Paired paired_difference(const Evaluation& a, const Evaluation& b, std::string_view metric, int replicates,
                         std::uint64_t seed) {
  check_comparable(a, b);
  const std::vector<double> d = differences(a, b, metric);
  if (d.empty()) throw DataError(fmt::format("no user has a value of {} in both evaluations", metric));
  const auto n = static_cast<double>(d.size());
  double sum = 0, squares = 0;
  for (const double value : d) sum += value;
  const double mean = sum / n;
  for (const double value : d) squares += (value - mean) * (value - mean);

  std::vector<double> means(static_cast<std::size_t>(replicates));
  for (std::size_t r = 0; r < means.size(); ++r) {
    Stream stream(seed, "bootstrap pairs", r);
    const auto counts = resample(d.size(), stream);
    for (std::size_t u = 0; u < d.size(); ++u) means[r] += counts[u] * d[u] / n;
  }
  const Interval range = percentile_interval(std::move(means));
  return {std::string(metric), mean, std::sqrt(squares / (n - 1) / n), range.low, range.high, d.size()};
}

}  // namespace equipoise
