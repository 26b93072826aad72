// What each user had in training, sorted user by user.
#include "recommender/seen.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace equipoise {

namespace {

// Ascending, each item once: a log of lists may show a pair again.
void sort_each(Seen& seen) {
  std::int64_t kept = 0, first = 0;
  for (std::size_t u = 0; u + 1 < seen.offsets.size(); ++u) {
    const auto begin = seen.items.begin() + std::exchange(first, seen.offsets[u + 1]);
    const auto end = seen.items.begin() + seen.offsets[u + 1];
    std::sort(begin, end);
    kept = std::move(begin, std::unique(begin, end), seen.items.begin() + kept) - seen.items.begin();
    seen.offsets[u + 1] = kept;
  }
  seen.items.resize(static_cast<std::size_t>(kept));
}

}  // namespace

std::span<const std::int32_t> Seen::of(std::int32_t user) const {
  if (user < 0) return {};
  const auto first = static_cast<std::size_t>(offsets[static_cast<std::size_t>(user)]);
  const auto last = static_cast<std::size_t>(offsets[static_cast<std::size_t>(user) + 1]);
  return std::span(items).subspan(first, last - first);
}

Seen seen_of(const Dataset& data) {
  const auto users = static_cast<std::size_t>(data.users.size());
  Seen seen;
  seen.offsets.assign(users + 1, 0);
  for (const std::int32_t u : data.train.user) ++seen.offsets[static_cast<std::size_t>(u) + 1];
  std::partial_sum(seen.offsets.begin(), seen.offsets.end(), seen.offsets.begin());
  seen.items.resize(data.train.size());
  std::vector<std::int64_t> next(seen.offsets.begin(), seen.offsets.end() - 1);
  for (std::size_t t = 0; t < data.train.size(); ++t) {
    std::int64_t& place = next[static_cast<std::size_t>(data.train.user[t])];
    seen.items[static_cast<std::size_t>(place++)] = data.train.item[t];
  }
  sort_each(seen);
  return seen;
}

Seen seen_of(const UserItems& history) {
  Seen seen{history.offsets, history.items};
  sort_each(seen);
  return seen;
}

}  // namespace equipoise
