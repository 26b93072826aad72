// Items by how often the training log has them: ten groups of equal size, the most popular first.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace equipoise {

constexpr std::size_t kTenths = 10;

class Popularity {
 public:
  Popularity() = default;
  /// `rows`: of each item, in the training log. Equal ones go by their numbers.
  explicit Popularity(std::span<const std::int32_t> rows);

  std::size_t tenth(std::int32_t item) const { return tenth_[static_cast<std::size_t>(item)]; }
  /// How many rows of the training log each group has.
  const std::array<std::int64_t, kTenths>& rows() const { return rows_; }

 private:
  std::vector<std::uint8_t> tenth_;  // (items)
  std::array<std::int64_t, kTenths> rows_{};
};

}  // namespace equipoise
