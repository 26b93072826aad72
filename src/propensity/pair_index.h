// Finds the row of the log that shows a pair, if one does.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

class PairIndex {
 public:
  PairIndex() = default;
  PairIndex(const Rows& log, std::int32_t users);

  /// The number of the row with that pair (the first one, where several have it), or −1.
  std::int64_t find(std::int32_t user, std::int32_t item) const;
  /// How many different pairs there are.
  std::size_t pairs() const { return pairs_; }

 private:
  std::vector<std::size_t> offsets_;                             // (users + 1)
  std::vector<std::pair<std::int32_t, std::uint32_t>> entries_;  // (item, row), ascending within a user
  std::size_t pairs_ = 0;
};

}  // namespace equipoise
