// Pairs of items and their importance p_ii' = p(i) + p(i'): the largest, or drawn by it; never all N² of them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/alias.h"

namespace equipoise {

using ItemPair = std::pair<std::int32_t, std::int32_t>;  // different items, the smaller number first

/// The `count` pairs with the largest p_i + p_i', largest first; equal ones in a fixed order. Fewer if there are fewer.
std::vector<ItemPair> largest_pairs(std::span<const double> p, std::size_t count);

/// Draws a pair with probability exactly (p_i + p_i') ÷ (N − 1): one end by p, the other uniformly from the rest.
class PairSampler {
 public:
  /// p ≥ 0 sums to 1, two items at least.
  explicit PairSampler(std::span<const double> p) : items_(static_cast<std::uint32_t>(p.size())), law_(p) {}
  ItemPair draw(Stream& stream) const;

 private:
  std::uint32_t items_;
  AliasTable law_;
};

}  // namespace equipoise
