// Resampling users and percentile intervals.
#include "eval/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace equipoise {

namespace {

void keep_finite(std::vector<double>& values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
}

}  // namespace

std::vector<std::uint32_t> resample(std::size_t users, Stream& stream) {
  std::vector<std::uint32_t> counts(users, 0);
  for (std::size_t draw = 0; draw < users; ++draw) ++counts[stream.below(static_cast<std::uint32_t>(users))];
  return counts;
}

double quantile(const std::vector<double>& ascending, double share) {
  const double place = share * static_cast<double>(ascending.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, ascending.size() - 1);
  return std::lerp(ascending[low], ascending[high], place - static_cast<double>(low));
}

Interval percentile_interval(std::vector<double> replicates) {
  keep_finite(replicates);
  if (replicates.empty()) return {std::nan(""), std::nan("")};
  std::sort(replicates.begin(), replicates.end());
  return {quantile(replicates, (1 - kConfidence) / 2), quantile(replicates, (1 + kConfidence) / 2)};
}

Interval centred_interval(std::vector<double> replicates, double estimate) {
  keep_finite(replicates);
  const double mean =
      std::accumulate(replicates.begin(), replicates.end(), 0.0) / static_cast<double>(replicates.size());
  for (double& value : replicates) value = std::clamp(value - mean + estimate, 0.0, 1.0);
  return percentile_interval(std::move(replicates));
}

// Stored replicates are floats: where all are equal to the estimate, rounding must not put it outside.
Interval interval(IntervalRule rule, std::vector<double> replicates, double estimate) {
  constexpr double kRounding = 0x1.0p-22;
  Interval out = rule == IntervalRule::recentred ? centred_interval(std::move(replicates), estimate)
                                                 : percentile_interval(std::move(replicates));
  if (out.low > estimate && out.low - estimate <= kRounding * std::abs(estimate)) out.low = estimate;
  if (out.high < estimate && estimate - out.high <= kRounding * std::abs(estimate)) out.high = estimate;
  return out;
}

}  // namespace equipoise
