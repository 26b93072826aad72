// Questions about pairs: same ones with a table for some users at a time, shared ones user by user.
#include "data/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <span>

#include "core/error.h"
#include "core/hash.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/by_user.h"

namespace equipoise {
namespace {

constexpr std::size_t kShare = std::size_t{1} << 14;  // rows; with their table they fit into a core's own cache
constexpr std::size_t kPasses = 4;                    // walks over all rows of each thread; the more, the less memory

constexpr std::size_t kCounts = 8;  // parts of the rows that are counted on their own

struct PairRow {
  std::uint32_t pair;  // among those of its share
  RowNumber row;
};

// Of rows in ascending order. `table` is scratch: numbers into `rows` from 1 on, 0 is free.
void find_same(std::span<const PairRow> rows, std::vector<std::uint32_t>& table, std::vector<SamePair>& same) {
  table.assign(std::bit_ceil(2 * rows.size() + 1), 0);
  const std::size_t mask = table.size() - 1;
  const std::uint64_t factor = process_secret()[0] | 1;
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    const PairRow& now = rows[k];
    for (std::size_t at = now.pair * factor >> 32 & mask;; at = (at + 1) & mask) {
      if (table[at] != 0) {
        const PairRow& before = rows[table[at] - 1];
        if (before.pair != now.pair) continue;
        same.push_back({now.row, before.row});
      }
      table[at] = k + 1;
      break;
    }
  }
}

/// Users in shares of about as many rows: so many users one after another that their number is a power of two, and
/// few enough that a pair among them fits into 32 bits.
class Shares {
 public:
  Shares(const Rows& rows, Pool* pool) : item_bits_(std::bit_width(static_cast<std::uint32_t>(size_over(rows.item)))) {
    const auto users = static_cast<std::size_t>(size_over(rows.user));
    while (users >> (user_bits_ + 1) > rows.size() / kShare && item_bits_ + user_bits_ < 32) ++user_bits_;
    begin_.assign((users >> user_bits_) + 2, 0);
    const std::size_t some = rows.size() / kCounts + 1;
    std::vector<std::vector<RowNumber>> counts(chunks(rows.size(), some));
    run_pieces(pool, counts.size(), [&](std::size_t k) {
      counts[k].assign(begin_.size(), 0);
      const std::size_t end = std::min((k + 1) * some, rows.size());
      for (std::size_t r = k * some; r < end; ++r) ++counts[k][of(rows.user[r]) + 1];
    });
    for (const auto& count : counts) {
      std::transform(count.begin(), count.end(), begin_.begin(), begin_.begin(), std::plus<>());
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  }
  std::size_t size() const { return begin_.size() - 1; }
  std::size_t of(std::int32_t user) const { return static_cast<std::size_t>(user) >> user_bits_; }
  std::uint32_t pair(std::int32_t user, std::int32_t item) const {
    const std::uint32_t among = static_cast<std::uint32_t>(user) & ((1U << user_bits_) - 1);
    return static_cast<std::uint32_t>(std::uint64_t{among} << item_bits_) | static_cast<std::uint32_t>(item);
  }
  /// Its first row, if all shares stood one after another.
  RowNumber begin(std::size_t share) const { return begin_[share]; }

 private:
  int item_bits_, user_bits_ = 0;
  std::vector<RowNumber> begin_;
};

/// The same pairs of some shares, which are brought together first.
class Pass {
 public:
  Pass(const Rows& rows, const Shares& shares) : rows_(rows), shares_(shares) {}

  void run(std::size_t first, std::size_t last, std::vector<SamePair>& same) {
    const std::size_t count = last - first;
    const RowNumber before = shares_.begin(first);
    taken_.resize(shares_.begin(last) - before);
    next_.resize(count);
    for (std::size_t s = 0; s < count; ++s) next_[s] = shares_.begin(first + s) - before;
    for (RowNumber r = 0; r < rows_.size(); ++r) {
      const std::size_t s = shares_.of(rows_.user[r]) - first;  // what is below `first` wraps around
      if (s < count) taken_[next_[s]++] = {shares_.pair(rows_.user[r], rows_.item[r]), r};
    }
    for (std::size_t s = first; s < last; ++s) {
      find_same(std::span(taken_).subspan(shares_.begin(s) - before, shares_.begin(s + 1) - shares_.begin(s)), table_,
                same);
    }
  }

 private:
  const Rows& rows_;
  const Shares& shares_;
  std::vector<PairRow> taken_;
  std::vector<RowNumber> next_;
  std::vector<std::uint32_t> table_;
};

}  // namespace

Duplicates parse_duplicates(std::string_view word) {
  if (word == "auto") return Duplicates::automatic;
  if (word == "error") return Duplicates::error;
  if (word == "first") return Duplicates::first;
  if (word == "last") return Duplicates::last;
  throw UsageError(fmt::format("duplicates: {} is none of auto, error, first, last{}", in_quotes(word),
                               suggest(word, {"auto", "error", "first", "last"})));
}

std::vector<SamePair> same_pairs(const Rows& rows, Pool* pool, std::size_t at_once) {
  EQUIPOISE_ASSERT(rows.size() < std::numeric_limits<RowNumber>::max());
  const std::size_t threads = pool != nullptr ? static_cast<std::size_t>(pool->threads()) : 1;
  if (at_once == 0) at_once = rows.size() / kPasses;
  const std::size_t in_a_pass = std::max<std::size_t>(at_once / threads, 1);
  const Shares shares(rows, pool);
  std::vector<std::size_t> passes = {0};  // the shares where they begin, and the end
  for (std::size_t s = 0; s < shares.size(); ++s) {
    const std::size_t taken = shares.begin(s + 1) - shares.begin(passes.back());
    if (taken >= in_a_pass) passes.push_back(s + 1);
  }
  if (passes.back() < shares.size()) passes.push_back(shares.size());

  std::vector<std::vector<SamePair>> found(passes.size() - 1);
  const auto every = [&](std::size_t from, std::size_t step) {
    Pass pass(rows, shares);
    for (std::size_t p = from; p < found.size(); p += step) pass.run(passes[p], passes[p + 1], found[p]);
  };
  run_pieces(pool, threads, [&](std::size_t k) { every(k, threads); });

  std::vector<SamePair> same;
  for (auto& some : found) {
    same.insert(same.end(), some.begin(), some.end());
    some = {};
  }
  std::sort(same.begin(), same.end(), [](const SamePair& a, const SamePair& b) { return a.row < b.row; });
  return same;
}

namespace {

// The request's number where the user's was: a request is of one user.
Rows by_request(const Rows& rows) {
  Rows out;
  out.user = rows.request, out.item = rows.item;
  return out;
}

}  // namespace

std::vector<SamePair> same_pairs_in_requests(const Rows& rows, Pool* pool) {
  return rows.request.empty() ? same_pairs(rows, pool) : same_pairs(by_request(rows), pool);
}

std::vector<RowNumber> duplicate_rows(const Rows& rows, const std::vector<SamePair>& same, Duplicates rule,
                                      const IdMap& users, const IdMap& items, FunctionRef<Place(std::size_t)> place) {
  if (rule == Duplicates::error && !same.empty()) {
    const auto [r, before] = same.front();
    const Place here = place(r), there = place(before);
    throw DataError(
        here, fmt::format("user {} and item {} occur {} already; a pair may occur once{} "
                          "(duplicates = first or last keeps one row)",
                          in_quotes(users.name(rows.user[r])), in_quotes(items.name(rows.item[r])),
                          here.file == there.file ? fmt::format("on line {}", there.line) : "at " + to_string(there),
                          rows.request.empty() ? "" : " in a request"));
  }
  std::vector<RowNumber> gone;
  gone.reserve(same.size());
  for (const SamePair& pair : same) gone.push_back(rule == Duplicates::first ? pair.row : pair.before);
  std::sort(gone.begin(), gone.end());
  return gone;
}

namespace {

std::vector<std::uint8_t> shared_by_user(const Rows& rows, const std::vector<const Rows*>& others) {
  std::int32_t users = size_over(rows.user), items = size_over(rows.item);
  for (const Rows* other : others) {
    users = size_over(other->user, users);
    items = size_over(other->item, items);
  }
  std::vector<std::uint8_t> shared(rows.size(), 0);
  const ByUser groups(rows, users);
  for (const Rows* other : others) {
    const ByUser other_groups(*other, users);
    std::vector<std::int32_t> holder(static_cast<std::size_t>(items),
                                     -1);  // the last user whose rows in `other` have it
    for (std::size_t u = 0; u < static_cast<std::size_t>(users); ++u) {
      for (std::size_t k = other_groups.begin[u]; k < other_groups.begin[u + 1]; ++k) {
        holder[static_cast<std::size_t>(other->item[other_groups.rows[k]])] = static_cast<std::int32_t>(u);
      }
      for (std::size_t k = groups.begin[u]; k < groups.begin[u + 1]; ++k) {
        const RowNumber r = groups.rows[k];
        if (holder[static_cast<std::size_t>(rows.item[r])] == rows.user[r]) shared[r] = 1;
      }
    }
  }
  return shared;
}

}  // namespace

std::vector<std::uint8_t> shared_pairs(const Rows& rows, const std::vector<const Rows*>& others) {
  const bool requests = !rows.request.empty() && std::all_of(others.begin(), others.end(), [](const Rows* other) {
    return other->empty() || !other->request.empty();
  });
  if (!requests) return shared_by_user(rows, others);
  std::vector<Rows> keyed;
  for (const Rows* other : others) keyed.push_back(by_request(*other));
  std::vector<const Rows*> pointers;
  for (const Rows& other : keyed) pointers.push_back(&other);
  return shared_by_user(by_request(rows), pointers);
}

}  // namespace equipoise
