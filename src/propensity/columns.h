// Vectors of numbers for users or items: their features, or codes that tell items apart.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.h"
#include "grad/matrix.h"

namespace equipoise {

/// The width beyond which vectors are replaced by sums with random signs, which keep distances on average.
inline constexpr std::size_t kMostColumns = 64;

/// Rows of numbers, (rows × width).
struct Columns {
  std::size_t width = 0;
  Floats values;

  const float* row(std::size_t r) const { return values.data() + r * width; }
  bool empty() const { return width == 0; }
};

/// Every field counts the same: a number has mean 0 and variance 1 over the counted rows (all, if none are named), a
/// missing one is 0; the indicators of a categorical field are centred and have a total variance of 1. Width 0 where
/// there are no features, or none varies.
Columns feature_columns(const Features& features, std::uint64_t seed, std::span<const std::int32_t> counted = {});

/// A vector for each item, such that a user's sum of them tells the items apart: unit vectors up to kMostColumns items,
/// random signs beyond.
Columns item_codes(std::size_t items, std::uint64_t seed);

}  // namespace equipoise
