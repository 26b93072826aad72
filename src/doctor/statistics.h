// Small statistics that several findings share: correlation, permutations, a mean of clustered rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace equipoise {

/// NaN where one side does not vary.
double pearson(std::span<const double> a, std::span<const double> b);
/// Places from 1 in ascending order; equal values share the mean of theirs.
std::vector<double> ranks(std::span<const double> values);
/// Two-sided p-value of a correlation of n pairs by Fisher's z; NaN below 4 pairs.
double correlation_p(double r, std::size_t n);

/// Share of values, drawn anew, that are at least as large as the observed one, itself counted: never 0, and exact
/// where the observed value is exchangeable with the drawn ones.
double permutation_p(double observed, std::span<const double> drawn);

/// A ratio of sums, Σ_u a_u ÷ Σ_u n_u, whose rows depend on one another within a user but not between users.
struct ClusteredMean {
  double value = 0;
  double standard_error = 0;
  /// (users) what each user adds to the error of the ratio: (a_u − value·n_u) ÷ Σ n; their squares sum to its square.
  std::vector<double> influence;
};
ClusteredMean clustered_mean(std::span<const double> sums, std::span<const double> counts);

}  // namespace equipoise
