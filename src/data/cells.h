// Blocks of users × items of which every cell is a row, and a validation part made like such a test.
#pragma once

#include <cstdint>
#include <vector>

#include "data/split.h"

namespace equipoise {

/// Every cell of users × items (numbers that ascend), user by user: 1 where `positives` has the pair, else 0. Pairs
/// of other users or items do not count.
Rows all_cells(const std::vector<std::int32_t>& users, const std::vector<std::int32_t>& items, const Rows& positives);

/// The values that occur, ascending.
std::vector<std::int32_t> sorted_unique(std::vector<std::int32_t> values);

/// Splits a log of positives whose test is a block of users × items that the log withholds. A share of the other users
/// is drawn, of those who have rows of items outside the block. Of these users everything that they have inside the
/// block's items is taken out, and all their cells of these items are valid, as the block's are test. So training
/// sees of valid's users what it sees of test's users: their other items.
Parts split_like_block(Rows log, Rows block, double share, std::uint64_t seed);

}  // namespace equipoise
