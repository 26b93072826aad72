// Central differences: what every gradient is compared with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "grad/ops.h"

namespace equipoise::test {

/// The gradient of every number of the array, tables spread out to all their rows.
inline std::vector<float> gradient_of(TrainedArray& p) {
  std::vector<float> out(p.values().size(), 0.0f);
  if (!p.is_table()) {
    std::copy_n(p.gradient().data, out.size(), out.begin());
  } else {
    for (std::size_t s = 0; s < p.touched().size(); ++s) {
      std::copy_n(p.touched_gradient(s), p.cols(), out.begin() + p.touched()[s] * static_cast<std::int64_t>(p.cols()));
    }
  }
  return out;
}

/// Checks d loss / d θ for up to `most` numbers of each array; the step and tolerance fit floats.
inline void check_gradient(Tape& tape, std::vector<TrainedArray*> arrays, const std::function<Var()>& loss,
                           double step = 1e-2, double tolerance = 2e-3, std::size_t most = 60) {
  const auto value = [&] {
    tape.clear();
    return static_cast<double>(loss().number());
  };
  for (TrainedArray* p : arrays) p->clear_gradient();
  tape.clear();
  tape.backward(loss());
  for (TrainedArray* p : arrays) {
    const std::vector<float> gradient = gradient_of(*p);
    const std::size_t stride = std::max<std::size_t>(1, gradient.size() / most);
    for (std::size_t k = 0; k < gradient.size(); k += stride) {
      float& theta = p->values()[k];
      const float before = theta;
      theta = before + static_cast<float>(step);
      const double up = value();
      theta = before - static_cast<float>(step);
      const double down = value();
      theta = before;
      const double expected = (up - down) / (2 * step);
      EXPECT_NEAR(gradient[k], expected, tolerance * std::max(1.0, std::abs(expected))) << p->name() << "[" << k << "]";
    }
  }
}

}  // namespace equipoise::test
