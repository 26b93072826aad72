// Alias table: draws an index with given odds in constant time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"

namespace equipoise {

class AliasTable {
 public:
  /// Odds ≥ 0 with a finite sum above 0; they need not sum to 1. Odds of 0 are never drawn.
  explicit AliasTable(std::span<const double> odds);
  std::uint32_t draw(Stream& stream) const {
    const std::uint32_t slot = stream.below(static_cast<std::uint32_t>(keep_.size()));
    return stream.uniform() < keep_[slot] ? slot : other_[slot];
  }
  std::size_t size() const { return keep_.size(); }

 private:
  std::vector<double> keep_;          // probability that the slot answers with itself
  std::vector<std::uint32_t> other_;  // what it answers otherwise
};

}  // namespace equipoise
