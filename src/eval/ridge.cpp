// Ridge regression by the normal equations and Cholesky's factors.
#include "eval/ridge.h"

#include <cmath>

namespace equipoise {

namespace {

// Solves A x = b for a symmetric positive definite A (n × n) with its lower half in place; gives x in b.
void solve_symmetric(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t m = 0; m < j; ++m) sum -= a[i * n + m] * a[j * n + m];
      a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
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
}

}  // namespace

Ridge::Ridge(std::size_t features, double shrink)
    : size_(features), shrink_(shrink), products_(features * features), moments_(features) {}

void Ridge::add(std::span<const double> features, double reward) {
  for (std::size_t i = 0; i < size_; ++i) {
    moments_[i] += features[i] * reward;
    for (std::size_t j = 0; j <= i; ++j) products_[i * size_ + j] += features[i] * features[j];
  }
}

std::vector<double> Ridge::fit() const {
  std::vector<double> products = products_, out = moments_;
  if (products[0] == 0) return out;  // no rows
  for (std::size_t k = 1; k < size_; ++k) products[k * size_ + k] += shrink_;
  solve_symmetric(products, out);
  return out;
}

}  // namespace equipoise
