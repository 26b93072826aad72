// Questions about pairs, answered user by user with one mark per item: linear time, no hashing.
#include "data/pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/by_user.h"

namespace equipoise {
namespace {

constexpr auto kNoRow = static_cast<RowNumber>(-1);

}  // namespace

Duplicates parse_duplicates(std::string_view word) {
  if (word == "error") return Duplicates::error;
  if (word == "first") return Duplicates::first;
  if (word == "last") return Duplicates::last;
  throw UsageError(fmt::format("duplicates: {} is none of error, first, last{}", in_quotes(word),
                               suggest(word, {"error", "first", "last"})));
}

std::vector<SamePair> same_pairs(const Rows& rows) {
  const std::int32_t users = size_over(rows.user);
  const ByUser groups(rows, users);
  std::vector<SamePair> same;
  std::vector<RowNumber> last(static_cast<std::size_t>(size_over(rows.item)), kNoRow);  // per item, of this user
  for (std::size_t u = 0; u < static_cast<std::size_t>(users); ++u) {
    for (std::size_t k = groups.begin[u]; k < groups.begin[u + 1]; ++k) {
      const RowNumber r = groups.rows[k];
      RowNumber& at = last[static_cast<std::size_t>(rows.item[r])];
      // Rows of other users may have left their number there; only a row of this user counts.
      if (at != kNoRow && rows.user[at] == rows.user[r]) same.push_back({r, at});
      at = r;
    }
  }
  std::sort(same.begin(), same.end(), [](const SamePair& a, const SamePair& b) { return a.row < b.row; });
  return same;
}

std::vector<std::size_t> without_duplicates(const Rows& rows, const std::vector<SamePair>& same, Duplicates rule,
                                            const IdMap& users, const IdMap& items, const std::string& file,
                                            const LineNumbers& lines) {
  if (rule == Duplicates::error && !same.empty()) {
    const auto [r, before] = same.front();
    throw DataError(
        Place{file, lines[r], 0},
        fmt::format("user {} and item {} stand on line {} already; a pair may stand once "
                    "(importers have --duplicates first|last)",
                    in_quotes(users.name(rows.user[r])), in_quotes(items.name(rows.item[r])), lines[before]));
  }
  std::vector<std::uint8_t> drop(rows.size(), 0);
  for (const SamePair& pair : same) drop[rule == Duplicates::first ? pair.row : pair.before] = 1;
  std::vector<std::size_t> kept;
  kept.reserve(rows.size() - same.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (drop[r] == 0) kept.push_back(r);
  }
  return kept;
}

std::vector<std::uint8_t> shared_pairs(const Rows& rows, const std::vector<const Rows*>& others) {
  std::int32_t users = size_over(rows.user), items = size_over(rows.item);
  for (const Rows* other : others) {
    users = size_over(other->user, users);
    items = size_over(other->item, items);
  }
  std::vector<std::uint8_t> shared(rows.size(), 0);
  const ByUser groups(rows, users);
  for (const Rows* other : others) {
    const ByUser other_groups(*other, users);
    std::vector<std::int32_t> holder(static_cast<std::size_t>(items),
                                     -1);  // the last user whose rows in `other` have it
    for (std::size_t u = 0; u < static_cast<std::size_t>(users); ++u) {
      for (std::size_t k = other_groups.begin[u]; k < other_groups.begin[u + 1]; ++k) {
        holder[static_cast<std::size_t>(other->item[other_groups.rows[k]])] = static_cast<std::int32_t>(u);
      }
      for (std::size_t k = groups.begin[u]; k < groups.begin[u + 1]; ++k) {
        const RowNumber r = groups.rows[k];
        if (holder[static_cast<std::size_t>(rows.item[r])] == rows.user[r]) shared[r] = 1;
      }
    }
  }
  return shared;
}

}  // namespace equipoise
