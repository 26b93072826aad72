// One exposure of a small world, and the means over its shown rows and all its pairs by plain loops.
#pragma once

#include "method/posed.h"

namespace equipoise::test {

class RivalLoss : public ::testing::Test {
 protected:
  World world_{7, 5, 0.3};
  Dataset data_ = expose(world_, world_.p, 1);
  double omega_ = static_cast<double>(data_.train.size()) / 35;

  /// The mean of h(pair, w) over the rows.
  template <class H>
  double shown_mean(H h) const {
    double sum = 0;
    for (std::size_t t = 0; t < data_.train.size(); ++t) {
      const auto k = static_cast<std::size_t>(data_.train.user[t] * world_.items + data_.train.item[t]);
      sum += data_.train.weight[t] * h(k, omega_ / world_.p[k]);
    }
    return sum / static_cast<double>(data_.train.size());
  }
  template <class H>
  double all_mean(H h) const {
    double sum = 0;
    for (std::size_t k = 0; k < world_.pairs(); ++k) sum += h(k);
    return sum / static_cast<double>(world_.pairs());
  }
  double e(std::size_t k) const { return delta(world_.label[k], world_.f[k]); }
  double e_hat(std::size_t k) const { return delta(sigma(world_.g[k]), world_.f[k]); }
  Posed posed(const std::string& method, const Settings& settings = {}) {
    return Posed(method, data_, settings, world_);
  }
};

}  // namespace equipoise::test
