// The items that one request may be shown, numbered from 0, so that one can be drawn uniformly without listing them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"

namespace equipoise {

class EligibleItems {
 public:
  /// Exactly these, which ascend; they outlive it.
  explicit EligibleItems(std::span<const std::int32_t> only) : only_(only) {}
  /// Items 0 … items − 1 but those left out, which ascend and occur once; they outlive it.
  EligibleItems(std::int32_t items, std::span<const std::int32_t> left_out) : items_(items), left_out_(left_out) {}

  std::size_t size() const { return items_ < 0 ? only_.size() : static_cast<std::size_t>(items_) - left_out_.size(); }
  std::int32_t at(std::size_t n) const;
  bool has(std::int32_t item) const;
  /// The sum of their values, by item; `all` is the sum over all items.
  double sum(std::span<const double> values, double all) const;

  /// Draws `count` different items, uniformly and in uniform order; count ≤ size().
  void draw(std::size_t count, Stream& stream, std::vector<std::uint32_t>& room, std::vector<std::int32_t>& out) const;

 private:
  std::int32_t items_ = -1;  // −1 = only those of `only_`
  std::span<const std::int32_t> only_;
  std::span<const std::int32_t> left_out_;
};

}  // namespace equipoise
