// Whether one arm of an experiment is better than another: a paired test over users and seeds, and Holm's correction.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace equipoise {

/// One run of an arm: a metric, and what it was in each resample of the users.
struct RunValue {
  double value = 0;
  std::vector<double> resampled;  // (replicates) the same resamples in every run that is compared
};

/// a − b of two arms whose runs are paired by their seeds.
struct Contrast {
  double difference = 0;      // mean over seeds
  double standard_error = 0;  // √(v_users + v_seeds)
  double degrees = 0;         // of freedom, by Welch and Satterthwaite
  double low = 0, high = 0;   // 95% interval, by the same t; NaN where nothing varies
  double p = 1;               // two-sided
  double effect = 0;          // difference ÷ deviation between users (√(users · v_users)): d_z of a mean over users
};

/// Two things could have come out otherwise: which users were tested (v_users, the variance of the difference over
/// resamples of users) and how training went (v_seeds, the variance of the seeds' differences ÷ seeds). The test takes
/// both: t = difference ÷ √(v_users + v_seeds). With one seed v_seeds is unknown and there is no test: p is NaN (of one
/// model trained twice, a test over users alone calls 17 pairs in 100 different), and the interval is one over users.
/// So it is where nothing varies, unless there is no difference at all: then p is 1.
Contrast contrast(std::span<const RunValue> a, std::span<const RunValue> b, std::size_t users);

/// Holm's step-down correction: p-values, each as large as the family makes it. NaN stays NaN and counts as a test.
std::vector<double> holm(std::span<const double> p);

/// Below it a corrected p-value is called significant.
inline constexpr double kSignificance = 0.05;

}  // namespace equipoise
