// Cholesky's factors, Jacobi's rotations, and subspace iteration for what is too large for those.
#include "core/symmetric.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"

namespace equipoise {

bool solve_symmetric(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  std::vector<double> column(n);
  for (std::size_t m = 0; m < n; ++m) {
    if (!(a[m * n + m] > 0)) return false;
    const double root = a[m * n + m] = std::sqrt(a[m * n + m]);
    for (std::size_t i = m + 1; i < n; ++i) column[i] = a[i * n + m] /= root;
    for (std::size_t i = m + 1; i < n; ++i) {
      double* row = a.data() + i * n;
      for (std::size_t j = m + 1; j <= i; ++j) row[j] -= column[i] * column[j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t m = 0; m < i; ++m) b[i] -= a[i * n + m] * b[m];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t m = i + 1; m < n; ++m) b[i] -= a[m * n + i] * b[m];
    b[i] /= a[i * n + i];
  }
  return true;
}

namespace {

using Square = std::vector<double>;

constexpr int kMostSweeps = 60, kTurns = 60;

// One rotation in the plane (p, q) that makes a_pq zero; the rows of v turn with it.
void rotate(Square& a, Square& v, std::size_t n, std::size_t p, std::size_t q) {
  const double off = a[p * n + q];
  if (off == 0) return;
  const double theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
  const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (std::size_t k = 0; k < n; ++k) {
    const double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double x = v[p * n + k], y = v[q * n + k];
    v[p * n + k] = c * x - s * y, v[q * n + k] = s * x + c * y;
  }
}

// All eigenvectors by Jacobi's rotations, largest eigenvalue first.
MainDirections all_directions(Square a, std::size_t n) {
  Square v(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) v[k * n + k] = 1;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double off = 0, whole = 0;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = 0; q < n; ++q) (p == q ? whole : off) += a[p * n + q] * a[p * n + q];
    }
    if (off <= 1e-28 * whole) break;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) rotate(a, v, n, p, q);
    }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return a[x * n + x] > a[y * n + y]; });
  MainDirections out{n, {}, {}};
  for (const std::size_t k : order) {
    out.values.push_back(a[k * n + k]);
    out.vectors.insert(out.vectors.end(), v.begin() + static_cast<std::ptrdiff_t>(k * n),
                       v.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
  }
  return out;
}

// Rows of q (count × n) made orthogonal to one another and of length 1, in order; a row that is a sum of others is 0.
void make_orthogonal(Square& q, std::size_t count, std::size_t n) {
  for (std::size_t r = 0; r < count; ++r) {
    double* row = q.data() + r * n;
    const double before = std::sqrt(std::inner_product(row, row + n, row, 0.0));
    for (int twice = 0; twice < 2; ++twice) {
      for (std::size_t other = 0; other < r; ++other) {
        const double* o = q.data() + other * n;
        const double along = std::inner_product(row, row + n, o, 0.0);
        for (std::size_t k = 0; k < n; ++k) row[k] -= along * o[k];
      }
    }
    const double length = std::sqrt(std::inner_product(row, row + n, row, 0.0));
    for (std::size_t k = 0; k < n; ++k) row[k] = length > 1e-12 * before ? row[k] / length : 0;
  }
}

// q·A: (count × n)
Square times(const Square& q, std::span<const double> a, std::size_t count, std::size_t n) {
  Square out(count * n, 0.0);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = q[r * n + k];
      for (std::size_t c = 0; c < n; ++c) out[r * n + c] += factor * a[k * n + c];
    }
  }
  return out;
}

}  // namespace

MainDirections main_directions(std::span<const double> a, std::size_t size, std::size_t most) {
  const std::size_t count = std::min(size, 2 * most + 8);
  Square q(count * size, 0.0);
  if (count == size) {
    for (std::size_t k = 0; k < size; ++k) q[k * size + k] = 1;
  } else {
    Stream stream(1, "start of a subspace");
    for (double& v : q) v = stream.normal();
    for (int turn = 0; turn < kTurns; ++turn) {
      make_orthogonal(q, count, size);
      q = times(q, a, count, size);
    }
    make_orthogonal(q, count, size);
  }
  // The directions within the subspace: those of q A qᵀ, turned back.
  const Square qa = times(q, a, count, size);
  Square small(count * count);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < count; ++c) {
      small[r * count + c] = std::inner_product(qa.begin() + static_cast<std::ptrdiff_t>(r * size),
                                                qa.begin() + static_cast<std::ptrdiff_t>((r + 1) * size),
                                                q.begin() + static_cast<std::ptrdiff_t>(c * size), 0.0);
    }
  }
  const MainDirections within = all_directions(std::move(small), count);
  MainDirections out{size, {}, {}};
  for (std::size_t d = 0; d < std::min(most, count); ++d) {
    out.values.push_back(within.values[d]);
    const Square row(within.vectors.begin() + static_cast<std::ptrdiff_t>(d * count),
                     within.vectors.begin() + static_cast<std::ptrdiff_t>((d + 1) * count));
    for (std::size_t k = 0; k < size; ++k) {
      double sum = 0;
      for (std::size_t r = 0; r < count; ++r) sum += row[r] * q[r * size + k];
      out.vectors.push_back(sum);
    }
  }
  return out;
}

}  // namespace equipoise
