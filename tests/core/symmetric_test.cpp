// Symmetric matrices: equations solved, main directions found in small and in large ones.
#include "core/symmetric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/random.h"

namespace equipoise {
namespace {

using Numbers = std::vector<double>;

/// Σ_k value_k q_k q_kᵀ for orthogonal q, by reflections of the unit vectors.
Numbers with_values(const Numbers& values, Numbers& vectors) {
  const std::size_t n = values.size();
  Numbers v(n);
  Stream stream(4, "mirror");
  for (double& x : v) x = stream.normal();
  const double norm = std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
  vectors.assign(n * n, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) vectors[r * n + c] = (r == c ? 1 : 0) - 2 * v[r] * v[c] / norm;
  }
  Numbers a(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) a[r * n + c] += values[k] * vectors[k * n + r] * vectors[k * n + c];
    }
  }
  return a;
}

TEST(Symmetric, EquationsAreSolved) {
  Numbers vectors;
  const Numbers a = with_values({3, 1, 0.2, 7, 2}, vectors);
  const Numbers x = {1, -2, 0.5, 3, 4};
  Numbers b(5, 0.0), factors = a;
  for (std::size_t r = 0; r < 5; ++r) {
    for (std::size_t c = 0; c < 5; ++c) b[r] += a[r * 5 + c] * x[c];
  }
  ASSERT_TRUE(solve_symmetric(factors, b));
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(b[k], x[k], 1e-12);
  factors = with_values({3, 1, -0.2, 7, 2}, vectors);
  EXPECT_FALSE(solve_symmetric(factors, b));
}

TEST(Symmetric, MainDirectionsAreThoseOfTheLargestValues) {
  for (const std::size_t n : {3, 10, 80}) {  // 80 is too large for rotations alone
    Numbers values(n), vectors;
    for (std::size_t k = 0; k < n; ++k) values[k] = 1.0 / static_cast<double>((k * 7) % n + 1);
    const MainDirections found = main_directions(with_values(values, vectors), n, 3);
    ASSERT_EQ(found.values.size(), 3U);
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(found.values[d], 1.0 / static_cast<double>(d + 1), 1e-9) << n;
      for (std::size_t k = 0; k < n; ++k) {
        if ((k * 7) % n != d) continue;
        const double along = std::inner_product(found.vectors.begin() + static_cast<std::ptrdiff_t>(d * n),
                                                found.vectors.begin() + static_cast<std::ptrdiff_t>((d + 1) * n),
                                                vectors.begin() + static_cast<std::ptrdiff_t>(k * n), 0.0);
        EXPECT_NEAR(std::abs(along), 1, 1e-9) << n;
      }
    }
  }
}

TEST(Symmetric, AMatrixOfNothingHasDirectionsOfNothing) {
  const MainDirections found = main_directions(Numbers(16, 0.0), 4, 2);
  EXPECT_EQ(found.values, (Numbers{0, 0}));
}

}  // namespace
}  // namespace equipoise
