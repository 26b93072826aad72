// A pass over the whole log, block by block, on a tape without gradients.
#pragma once

#include <algorithm>

#include "data/batch.h"
#include "grad/tape.h"

namespace equipoise {

/// Calls f(tape, pairs) for consecutive blocks of the log's rows; the tape is cleared before each.
template <class F>
void over_log(const Rows& log, Pool& pool, F f) {
  constexpr std::size_t kBlock = 8192;
  Tape tape(pool, false);
  for (std::size_t first = 0; first < log.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, log.size() - first);
    tape.clear();
    f(tape, Pairs{std::span(log.user).subspan(first, count), std::span(log.item).subspan(first, count), {}, {}, {}});
  }
}

}  // namespace equipoise
