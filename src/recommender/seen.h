// The items each user had in training, for leaving them out of recommendations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/user_items.h"

namespace equipoise {

struct Seen {
  std::vector<std::int64_t> offsets{0};  // (users + 1)
  std::vector<std::int32_t> items;       // ascending within a user

  /// Users of number −1 (unknown) have seen nothing.
  std::span<const std::int32_t> of(std::int32_t user) const;
};
Seen seen_of(const Dataset& data);
Seen seen_of(const UserItems& history);

}  // namespace equipoise
