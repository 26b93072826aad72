// The squared MMD with Gaussian kernels, unbiased.
#include <algorithm>
#include <cmath>

#include "balance/distance.h"
#include "balance/squared.h"

namespace equipoise {

namespace {

constexpr double kScales[] = {0.5, 1.0, 2.0};

// Σ over pairs of rows of k(x, y), times `factor`; its gradient goes into dx and dy. `same`: x and y are one sample and
// a row is not compared with itself.
double kernel_sum(const Matrix& x, const Matrix& y, bool same, double median, double factor, const Matrix& dx,
                  const Matrix& dy) {
  double total = 0;
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < y.rows; ++j) {
      if (same && i == j) continue;
      const double squared = squared_distance(x.row(i), y.row(j), x.cols);
      double k = 0, slope = 0;  // k and −2 ∂k/∂‖x−y‖²
      for (const double s : kScales) {
        const double e = std::exp(-squared / (2 * s * median)) / std::size(kScales);
        k += e;
        slope += e / (s * median);
      }
      total += k;
      if (dx.data == nullptr) continue;
      for (std::size_t c = 0; c < x.cols; ++c) {
        const double g = -factor * slope * (static_cast<double>(x.row(i)[c]) - y.row(j)[c]);
        dx.row(i)[c] += static_cast<float>(g);
        dy.row(j)[c] -= static_cast<float>(g);
      }
    }
  }
  return factor * total;
}

}  // namespace

double rbf_mmd(const Matrix& a, const Matrix& b, double scale, const Matrix& da, const Matrix& db) {
  const double median = median_squared_distance(a, b);
  if (median <= 0) return 0;  // all rows are the same
  const auto m = static_cast<double>(a.rows), n = static_cast<double>(b.rows);
  double value = 0;
  // MMD² = 1/m(m−1) Σ_{i≠j} k(a_i, a_j) + 1/n(n−1) Σ_{i≠j} k(b_i, b_j) − 2/mn Σ k(a_i, b_j)
  if (m > 1) value += kernel_sum(a, a, true, median, scale / (m * (m - 1)), da, da);
  if (n > 1) value += kernel_sum(b, b, true, median, scale / (n * (n - 1)), db, db);
  value += kernel_sum(a, b, false, median, -2 * scale / (m * n), da, db);
  return value / scale;
}

}  // namespace equipoise
