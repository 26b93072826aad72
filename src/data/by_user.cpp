// Rows grouped by user.
#include "data/by_user.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace equipoise {

std::int32_t size_over(const std::vector<std::int32_t>& numbers, std::int32_t least) {
  for (const std::int32_t number : numbers) least = std::max(least, number + 1);
  return least;
}

ByUser::ByUser(const Rows& source, std::int32_t users)
    : begin(static_cast<std::size_t>(users) + 1, 0), rows(source.size()) {
  EQUIPOISE_ASSERT(source.size() < std::numeric_limits<RowNumber>::max());
  for (const std::int32_t u : source.user) ++begin[static_cast<std::size_t>(u) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<RowNumber> next(begin.begin(), begin.end() - 1);
  for (RowNumber r = 0; r < rows.size(); ++r) rows[next[static_cast<std::size_t>(source.user[r])]++] = r;
}

}  // namespace equipoise
