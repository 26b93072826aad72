// Groups of items: by themselves, by the values of their features, by how often they are shown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

/// An item is in any number of groups: those of item i are codes[offsets[i]] … codes[offsets[i + 1] − 1].
struct Groups {
  std::size_t count = 0;
  std::vector<std::int32_t> offsets{0};  // (items + 1)
  std::vector<std::int32_t> codes;

  std::span<const std::int32_t> of(std::int32_t item) const;
};

/// Every item is a group.
Groups groups_of_items(std::size_t items);

/// Every value of every categorical field is a group, and so is every tenth of a continuous field, by value.
Groups groups_of_features(const Features& features, std::size_t items);
/// How many those are; no item need be known for it.
std::size_t count_feature_groups(const Features& features);

/// The items that occur in the log in ten groups of equal size, from the least shown to the most shown.
Groups groups_of_popularity(const Rows& log, std::size_t items);
inline constexpr std::size_t kTenths = 10;

/// Item i is in the group numbers[i] alone; in none where that is below 0.
Groups groups_by_number(std::span<const std::int32_t> numbers, std::size_t count);

}  // namespace equipoise
