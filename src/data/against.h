// Items that are drawn against a shown row, for the row's user: how many, and by which law.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/alias.h"
#include "data/dataset.h"

namespace equipoise {

/// For each shown row so many items, with odds ∝ (rows of the item)^power; 0 = all items alike.
struct AgainstDraws {
  int per_row = 0;
  double power = 0;
};

/// Draws items with odds ∝ (rows of the item)^power. At a power above 0 an item without rows is never drawn.
class ItemLaw {
 public:
  ItemLaw() = default;
  /// Items marked in `left_out` (by number) are never drawn; empty: none are.
  ItemLaw(const Rows& log, std::int32_t items, double power, const std::vector<std::uint8_t>& left_out = {});

  std::int32_t draw(Stream& stream) const {
    return static_cast<std::int32_t>(table_ ? table_->draw(stream) : stream.below(items_));
  }
  /// The chance that a draw is that item.
  double chance(std::int32_t item) const {
    return table_ ? chances_[static_cast<std::size_t>(item)] : 1.0 / static_cast<double>(items_);
  }

 private:
  std::uint32_t items_ = 0;
  std::optional<AliasTable> table_;  // where items are not all alike
  std::vector<double> chances_;
};

/// The laws of a log by user: users of whom it withholds items have a law of their own, by which those items are never
/// drawn.
class ItemLaws {
 public:
  ItemLaws() = default;
  /// `withheld` must outlive it.
  ItemLaws(const Rows& log, std::int32_t items, double power, const Withheld& withheld);

  const ItemLaw& of(std::int32_t user) const { return withheld_ != nullptr && withheld_->of(user) ? others_ : law_; }

 private:
  const Withheld* withheld_ = nullptr;
  ItemLaw law_, others_;
};

}  // namespace equipoise
