// A sum over fixed pieces of work, each into memory of its own, added in order: the same at any number of threads.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/parallel.h"

namespace equipoise {

/// out += Σ over pieces of what f(piece, partial) leaves in `partial` (as long as out, zero beforehand). Only few
/// pieces are under way at a time, so that the memory does not grow with their number.
template <class F>
void ordered_sum(Pool& pool, std::size_t pieces, std::span<double> out, F f) {
  constexpr std::size_t kAtOnce = 8;
  std::vector<double> partial;
  for (std::size_t first = 0; first < pieces; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, pieces - first);
    partial.assign(count * out.size(), 0.0);
    pool.run(count, [&](std::size_t k) { f(first + k, partial.data() + k * out.size()); });
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t n = 0; n < out.size(); ++n) out[n] += partial[k * out.size() + n];
    }
  }
}

}  // namespace equipoise
