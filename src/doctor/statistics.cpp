// Correlation by its definition, errors by clusters.
#include "doctor/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "eval/distributions.h"

namespace equipoise {

double pearson(std::span<const double> a, std::span<const double> b) {
  const auto n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    ab += (a[k] - mean_a) * (b[k] - mean_b);
    aa += (a[k] - mean_a) * (a[k] - mean_a);
    bb += (b[k] - mean_b) * (b[k] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> ranks(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> out;
  for (const double v : values) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), v);
    out.push_back((static_cast<double>(first - sorted.begin()) + static_cast<double>(last - sorted.begin()) + 1) / 2);
  }
  return out;
}

double correlation_p(double r, std::size_t n) {
  if (n < 4) return std::numeric_limits<double>::quiet_NaN();
  return normal_two_sided(std::atanh(r) * std::sqrt(static_cast<double>(n) - 3));
}

double permutation_p(double observed, std::span<const double> drawn) {
  const double bound = observed - 1e-9 * std::abs(observed);  // sums of equal terms may differ in their last digits
  const auto as_large = std::count_if(drawn.begin(), drawn.end(), [&](double value) { return value >= bound; });
  return static_cast<double>(as_large + 1) / static_cast<double>(drawn.size() + 1);
}

ClusteredMean clustered_mean(std::span<const double> sums, std::span<const double> counts) {
  ClusteredMean out;
  const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
  out.influence.assign(sums.size(), 0.0);
  if (n <= 0) return out;
  out.value = std::accumulate(sums.begin(), sums.end(), 0.0) / n;
  double squares = 0;
  for (std::size_t u = 0; u < sums.size(); ++u) {
    out.influence[u] = (sums[u] - out.value * counts[u]) / n;
    squares += out.influence[u] * out.influence[u];
  }
  out.standard_error = std::sqrt(squares);
  return out;
}

}  // namespace equipoise
