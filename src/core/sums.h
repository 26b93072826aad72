// Sums over a log that anybody may compute in parts: pieces of a fixed number of rows, added in their order.
#pragma once

#include <algorithm>
#include <cstddef>

namespace equipoise {

/// Rows of a log that a piece of a sum over it has.
inline constexpr std::size_t kLogPiece = std::size_t{1} << 16;

/// Σ f(k) for k from 0 to before n: the sum of each piece, and the sum of those.
template <class F>
double sum_by_pieces(std::size_t n, F f, std::size_t piece = kLogPiece) {
  double total = 0;
  for (std::size_t first = 0; first < n; first += piece) {
    double part = 0;
    for (std::size_t k = first; k < std::min(n, first + piece); ++k) part += f(k);
    total += part;
  }
  return total;
}

}  // namespace equipoise
