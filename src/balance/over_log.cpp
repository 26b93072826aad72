// Rows sorted by user, by counting.
#include "balance/over_log.h"

#include <numeric>

namespace equipoise {

RowsByUser::RowsByUser(const Rows& log, std::size_t users)
    : begin(users + 1, 0), user(log.size()), item(log.size()), row(log.size()) {
  for (const std::int32_t u : log.user) ++begin[static_cast<std::size_t>(u) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t t = 0; t < log.size(); ++t) {
    const std::size_t place = next[static_cast<std::size_t>(log.user[t])]++;
    user[place] = log.user[t];
    item[place] = log.item[t];
    row[place] = static_cast<RowNumber>(t);
  }
}

}  // namespace equipoise
