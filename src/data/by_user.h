// Rows grouped by user.
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

/// Row numbers by user, ascending within each: those of user u are rows[begin[u]] … rows[begin[u+1] − 1].
struct ByUser {
  ByUser(const Rows& source, std::int32_t users);
  std::vector<RowNumber> begin;  // one more than there are users
  std::vector<RowNumber> rows;
};

/// One more than the largest number, at least `least`.
std::int32_t size_over(const std::vector<std::int32_t>& numbers, std::int32_t least = 0);

}  // namespace equipoise
