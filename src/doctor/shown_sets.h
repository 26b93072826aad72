// The items that each user was shown, as sets, and shuffles of them that keep every user's and every item's count.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"
#include "data/dataset.h"

namespace equipoise {

/// Each user's different items, ascending. A pair that the log repeats counts once.
struct ShownSets {
  ShownSets(const Rows& log, std::int32_t users, std::int32_t items);

  std::size_t users() const { return offsets.size() - 1; }
  std::size_t pairs() const { return items_of.size(); }
  std::span<std::int32_t> of(std::size_t user) {
    return std::span(items_of).subspan(offsets[user], offsets[user + 1] - offsets[user]);
  }
  std::span<const std::int32_t> of(std::size_t user) const {
    return std::span(items_of).subspan(offsets[user], offsets[user + 1] - offsets[user]);
  }
  /// (items) how many users were shown each.
  std::vector<double> item_counts() const;

  std::vector<std::size_t> offsets;    // (users + 1)
  std::vector<std::int32_t> items_of;  // (pairs)
  std::int32_t items = 0;
};

/// One sweep of trades: users are paired at random, and what only one of two has is dealt out anew between them.
/// Repeated, every arrangement with the same counts comes up equally often, and none has a user with the same item
/// twice. The sweep is its own reverse, so that a chain of sweeps may be run from the log in both directions.
void trade(ShownSets& sets, Stream& stream);

}  // namespace equipoise
