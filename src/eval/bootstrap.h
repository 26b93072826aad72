// Bootstrap over users: how often each is drawn, and intervals from what the resamples give.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.h"
#include "eval/metric.h"

namespace equipoise {

/// The confidence of every interval.
inline constexpr double kConfidence = 0.95;

struct Interval {
  double low, high;
};

/// How often each of `users` users is drawn in `users` draws with replacement.
std::vector<std::uint32_t> resample(std::size_t users, Stream& stream);

/// The value below which that share (0 … 1) of the ascending values lies, linear between neighbours.
double quantile(const std::vector<double>& ascending, double share);

/// The percentile interval of the finite replicates; NaN if there is none.
Interval percentile_interval(std::vector<double> replicates);

/// The percentile interval after the replicates are moved so that their mean is the estimate: for values that a
/// resample changes whatever the data (it holds fewer different users, so it covers fewer items and looks less
/// calibrated). In [0, 1].
Interval centred_interval(std::vector<double> replicates, double estimate);

/// By a metric's own rule.
Interval interval(IntervalRule rule, std::vector<double> replicates, double estimate);

}  // namespace equipoise
