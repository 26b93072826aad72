// Passes over the whole log, block by block, on a tape without gradients.
#pragma once

#include <algorithm>
#include <vector>

#include "data/batch.h"
#include "grad/tape.h"

namespace equipoise {

inline constexpr std::size_t kPassRows = 8192;  // in a block

/// Calls f(tape, pairs) for consecutive blocks of the log's rows; the tape is cleared before each.
template <class F>
void over_log(const Rows& log, Pool& pool, F f) {
  Tape tape(pool, false);
  for (std::size_t first = 0; first < log.size(); first += kPassRows) {
    const std::size_t count = std::min(kPassRows, log.size() - first);
    tape.clear();
    f(tape, Pairs{std::span(log.user).subspan(first, count), std::span(log.item).subspan(first, count), {}, {}, {}});
  }
}

/// The rows of a log user by user, those of a user in the order of the log.
struct RowsByUser {
  RowsByUser() = default;
  RowsByUser(const Rows& log, std::size_t users);

  std::vector<std::size_t> begin;        // (users + 1): where each user's rows begin
  std::vector<std::int32_t> user, item;  // (rows)
  std::vector<RowNumber> row;            // (rows) each one's number in the log
};

/// Calls f(user's number in `rows.begin`, their vectors, their items) for each user with rows, in order; `make(tape,
/// pairs)` gives the vectors of a block of them.
template <class Make, class F>
void over_users(const RowsByUser& rows, Pool& pool, Make make, F f) {
  Tape tape(pool, false);
  const std::size_t users = rows.begin.empty() ? 0 : rows.begin.size() - 1;
  for (std::size_t u = 0; u < users;) {
    const std::size_t first = rows.begin[u];
    std::size_t last = u + 1;  // as many users as fit into a block, one at least
    while (last < users && rows.begin[last + 1] - first <= kPassRows) ++last;
    const std::size_t count = rows.begin[last] - first;
    tape.clear();
    const Matrix made = count == 0 ? Matrix{}
                                   : make(tape, Pairs{std::span(rows.user).subspan(first, count),
                                                      std::span(rows.item).subspan(first, count),
                                                      {},
                                                      {},
                                                      {}})
                                         .value();
    for (; u < last; ++u) {
      const std::size_t own = rows.begin[u + 1] - rows.begin[u];
      if (own == 0) continue;
      f(u, Matrix{made.row(rows.begin[u] - first), own, made.cols}, std::span(rows.item).subspan(rows.begin[u], own));
    }
  }
}

}  // namespace equipoise
