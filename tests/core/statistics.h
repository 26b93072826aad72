// The chi-square distance of counts from a law, and the value that chance exceeds once in a million.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace equipoise::test {

/// Σ (seen − expected)² ÷ expected over the cells with odds above 0.
inline double chi_square(const std::vector<std::size_t>& seen, const std::vector<double>& odds) {
  double total = 0, draws = 0, distance = 0;
  for (const double odd : odds) total += odd;
  for (const std::size_t count : seen) draws += static_cast<double>(count);
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const double expected = draws * odds[k] / total;
    if (expected > 0) distance += std::pow(static_cast<double>(seen[k]) - expected, 2) / expected;
  }
  return distance;
}

/// About the 1 − 10⁻⁶ quantile of chi-square (Wilson and Hilferty's approximation, z = 4.753).
inline double chi_square_limit(std::size_t cells) {
  const double d = static_cast<double>(cells - 1), h = 2 / (9 * d);
  return d * std::pow(1 - h + 4.753 * std::sqrt(h), 3);
}

}  // namespace equipoise::test
