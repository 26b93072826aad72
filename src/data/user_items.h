// The set of items that each user has: the evidence that a history is made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

class Stream;

/// The different items of each user, in the order in which they are kept where only some may count: newest first where
/// the rows have timestamps, and otherwise in an order drawn by name.
struct UserItems {
  std::vector<std::int64_t> offsets{0};  // (users + 1)
  std::vector<std::int32_t> items;
  std::vector<float> labels;  // of the newest row of each item; NaN = not known
  float mean_label = 0;       // of all rows
  bool by_time = false;       // newest first
  bool permuted = false;      // who has what was drawn anew: a control

  bool empty() const { return offsets.size() <= 1; }
  /// Users of number −1 (unknown) have none.
  std::span<const std::int32_t> of(std::int32_t user) const;
  std::span<const float> labels_of(std::int32_t user) const;
  bool has(std::int32_t user, std::int32_t item) const;
  /// Adds a user with these items.
  void add(std::span<const std::int32_t> of_user, std::span<const float> their_labels);
};

UserItems user_items(const Rows& rows, std::int32_t users, std::uint64_t seed);

/// Every user has as many items and every item as many users as before, but which user has which item is drawn anew.
UserItems permuted(UserItems history, std::uint64_t seed);

/// What a pair that the user does not have leaves out of the user's history in training, so that its history is as long
/// as that of a pair that the user has: the item itself where the user has it, else one of the items drawn by the
/// stream; −1 where there are none.
std::int32_t draw_left_out(const UserItems& history, std::int32_t user, std::int32_t item, Stream& stream);

}  // namespace equipoise
