// The pairs of a log: grouped by user, sorted by item, found by bisection.
#include "propensity/pair_index.h"

#include <algorithm>

namespace equipoise {

PairIndex::PairIndex(const Rows& log, std::int32_t users)
    : offsets_(static_cast<std::size_t>(users) + 1, 0), entries_(log.size()) {
  for (const std::int32_t u : log.user) ++offsets_[static_cast<std::size_t>(u) + 1];
  for (std::size_t u = 1; u < offsets_.size(); ++u) offsets_[u] += offsets_[u - 1];
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t t = 0; t < log.size(); ++t) {
    entries_[next[static_cast<std::size_t>(log.user[t])]++] = {log.item[t], static_cast<std::uint32_t>(t)};
  }
  for (std::size_t u = 0; u + 1 < offsets_.size(); ++u) {
    const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(offsets_[u]);
    const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(offsets_[u + 1]);
    std::sort(first, last);
    for (auto at = first; at != last; ++at) pairs_ += at == first || at->first != (at - 1)->first;
  }
}

std::int64_t PairIndex::find(std::int32_t user, std::int32_t item) const {
  const auto u = static_cast<std::size_t>(user);
  const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(offsets_[u + 1]);
  const auto at = std::lower_bound(entries_.begin() + static_cast<std::ptrdiff_t>(offsets_[u]), last,
                                   std::pair<std::int32_t, std::uint32_t>{item, 0});
  return at != last && at->first == item ? static_cast<std::int64_t>(at->second) : -1;
}

}  // namespace equipoise
