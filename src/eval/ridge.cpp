// Ridge regression by the normal equations and Cholesky's factors.
#include "eval/ridge.h"

#include "core/symmetric.h"

namespace equipoise {

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
