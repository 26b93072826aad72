// One side of the moments that weights are to meet: few numbers for each user or item, made of many.
#pragma once

#include "data/item_groups.h"
#include "propensity/columns.h"
#include "propensity/entropy_balance.h"

namespace equipoise {

/// [1; c], c the main directions of the columns (entities × width), at most `most`, over the entities that occur: each
/// has mean 0 and variance 1 there, and what does not vary is left out. Of groups of items, one column each, that drops
/// one group: they sum to a constant.
MomentSide moment_side(const Matrix& columns, std::span<const std::int32_t> present, std::size_t most, Pool& pool);

/// A column for each group: 1 for the items in it.
Columns group_columns(const Groups& groups);

/// The users, or items, that have rows, ascending.
std::vector<std::int32_t> entities_with_rows(std::span<const std::int32_t> of_rows, std::size_t count);

}  // namespace equipoise
