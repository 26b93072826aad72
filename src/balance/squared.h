// Squared distances between rows, and their median.
#pragma once

#include "grad/matrix.h"

namespace equipoise {

inline double squared_distance(const float* x, const float* y, std::size_t n) {
  double total = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double difference = static_cast<double>(x[k]) - y[k];
    total += difference * difference;
  }
  return total;
}

/// The median over all pairs of different rows of both samples together.
double median_squared_distance(const Matrix& a, const Matrix& b);

}  // namespace equipoise
