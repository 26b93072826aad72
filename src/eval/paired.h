// Paired comparison of two evaluations: per-user differences of a ranking metric.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "eval/evaluation.h"

namespace equipoise {

struct Paired {
  std::string metric;
  double difference = 0;      // mean over users of a − b
  double standard_error = 0;  // of that mean; NaN with one user
  double low = 0, high = 0;   // 95% bootstrap interval over users
  std::size_t users = 0;      // who have a value in both
};

/// Both must be evaluations of the same data under the same protocol, k and part (UsageError otherwise, and if the
/// metric has no value per user); DataError if no user has a value in both.
Paired paired_difference(const Evaluation& a, const Evaluation& b, std::string_view metric, int replicates = 1000,
                         std::uint64_t seed = 1);

}  // namespace equipoise
