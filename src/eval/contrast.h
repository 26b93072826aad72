// Whether one arm of an experiment is better than another: a paired test over users and seeds, and Holm's correction.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace equipoise {

/// P(|T| ≥ |t|) for Student's T with that many degrees of freedom (> 0).
double student_two_sided(double t, double degrees);

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
  double p = 1;               // two-sided
  double effect = 0;          // difference ÷ deviation between users (√(users · v_users)): d_z of a mean over users
};

/// Two things could have come out otherwise: which users were tested (v_users, the variance of the difference over
/// resamples of users) and how training went (v_seeds, the variance of the seeds' differences ÷ seeds; with one seed it
/// is unknown and counts as 0). The test takes both: t = difference ÷ √(v_users + v_seeds).
/// Without any variance p is 1 where there is no difference, and NaN where there is one.
Contrast contrast(std::span<const RunValue> a, std::span<const RunValue> b, std::size_t users);

/// Holm's step-down correction: p-values, each as large as the family makes it. NaN stays NaN and counts as a test.
std::vector<double> holm(std::span<const double> p);

/// Below it a corrected p-value is called significant.
inline constexpr double kSignificance = 0.05;

}  // namespace equipoise
