// The median squared distance between rows.
#include "balance/squared.h"

#include <algorithm>
#include <vector>

namespace equipoise {

double median_squared_distance(const Matrix& a, const Matrix& b) {
  thread_local std::vector<double> all;
  all.clear();
  const std::size_t rows = a.rows + b.rows;
  const auto row = [&](std::size_t r) { return r < a.rows ? a.row(r) : b.row(r - a.rows); };
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = i + 1; j < rows; ++j) all.push_back(squared_distance(row(i), row(j), a.cols));
  }
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

}  // namespace equipoise
