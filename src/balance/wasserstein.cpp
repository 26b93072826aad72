// Wasserstein-1 between two samples: entropic optimal transport, Sinkhorn's iteration in the log domain.
#include <algorithm>
#include <cmath>

#include "balance/distance.h"
#include "balance/squared.h"

namespace equipoise {

namespace {

constexpr int kMostIterations = 2000;
constexpr double kMarginal = 1e-6;

// Dual potentials f (rows) and g (columns) of the plan P_ij = exp((f_i + g_j − C_ij) ÷ ε) with uniform marginals.
struct Transport {
  std::size_t m, n;
  std::vector<double> cost, f, g;
  double epsilon = 0;

  double plan(std::size_t i, std::size_t j) const { return std::exp((f[i] + g[j] - cost[i * n + j]) / epsilon); }

  // −ε log Σ_j exp((g_j − C_ij) ÷ ε), shifted so that row i of the plan sums to 1/m; and the same for columns.
  double soft_row(std::size_t i) const {
    double most = -1e300;
    for (std::size_t j = 0; j < n; ++j) most = std::max(most, g[j] - cost[i * n + j]);
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += std::exp((g[j] - cost[i * n + j] - most) / epsilon);
    return -epsilon * (std::log(sum) + std::log(static_cast<double>(m))) - most;
  }
  double soft_column(std::size_t j) const {
    double most = -1e300;
    for (std::size_t i = 0; i < m; ++i) most = std::max(most, f[i] - cost[i * n + j]);
    double sum = 0;
    for (std::size_t i = 0; i < m; ++i) sum += std::exp((f[i] - cost[i * n + j] - most) / epsilon);
    return -epsilon * (std::log(sum) + std::log(static_cast<double>(n))) - most;
  }

  // How far the rows' sums are from 1/m, in all; the columns fit exactly after their turn.
  double error() const {
    double total = 0;
    for (std::size_t i = 0; i < m; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += plan(i, j);
      total += std::abs(sum - 1.0 / static_cast<double>(m));
    }
    return total;
  }

  void solve() {
    for (int turn = 0; turn < kMostIterations; ++turn) {
      for (std::size_t i = 0; i < m; ++i) f[i] = soft_row(i);
      for (std::size_t j = 0; j < n; ++j) g[j] = soft_column(j);
      if (turn % 10 == 9 && error() < kMarginal) return;
    }
  }
};

}  // namespace

double wasserstein(const Matrix& a, const Matrix& b, double scale, const Matrix& da, const Matrix& db) {
  thread_local Transport t;
  t.m = a.rows, t.n = b.rows;
  t.cost.resize(t.m * t.n);
  t.f.assign(t.m, 0.0);
  t.g.assign(t.n, 0.0);
  double mean = 0;
  for (std::size_t i = 0; i < t.m; ++i) {
    for (std::size_t j = 0; j < t.n; ++j) {
      t.cost[i * t.n + j] = std::sqrt(squared_distance(a.row(i), b.row(j), a.cols));
      mean += t.cost[i * t.n + j] / static_cast<double>(t.m * t.n);
    }
  }
  if (mean <= 0) return 0;
  t.epsilon = kSinkhornShare * mean;
  t.solve();
  double value = 0;
  for (std::size_t i = 0; i < t.m; ++i) {
    for (std::size_t j = 0; j < t.n; ++j) {
      const double p = t.plan(i, j), c = t.cost[i * t.n + j];
      value += p * c;
      if (da.data == nullptr || c <= 0) continue;
      for (std::size_t k = 0; k < a.cols; ++k) {  // ∂‖x − y‖/∂x = (x − y) ÷ ‖x − y‖
        const double g = scale * p * (static_cast<double>(a.row(i)[k]) - b.row(j)[k]) / c;
        da.row(i)[k] += static_cast<float>(g);
        db.row(j)[k] -= static_cast<float>(g);
      }
    }
  }
  return value;
}

}  // namespace equipoise
