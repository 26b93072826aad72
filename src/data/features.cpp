// The scale of a column of numbers.
#include "data/features.h"

#include <algorithm>
#include <cmath>

namespace equipoise {

ColumnScale scale_of(const std::vector<float>& column) {
  double sum = 0, squares = 0;
  std::size_t have = 0;
  for (const float v : column) {
    if (std::isnan(v)) continue;
    sum += v;
    squares += static_cast<double>(v) * v;
    ++have;
  }
  const double mean = have > 0 ? sum / static_cast<double>(have) : 0;
  const double variance = have > 0 ? std::max(0.0, squares / static_cast<double>(have) - mean * mean) : 0;
  return {mean, variance > 0 ? 1 / std::sqrt(variance) : 0};
}

}  // namespace equipoise
