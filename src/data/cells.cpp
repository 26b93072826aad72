// Blocks of users × items: their cells, and users drawn to be treated as a block's.
#include "data/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/error.h"
#include "core/random.h"
#include "core/text.h"
#include "data/by_user.h"

namespace equipoise {
namespace {

/// 1 for each of `numbers`, over 0 … size − 1.
std::vector<std::uint8_t> marks_of(const std::vector<std::int32_t>& numbers, std::int32_t size) {
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(size));
  for (const std::int32_t k : numbers) marks[static_cast<std::size_t>(k)] = 1;
  return marks;
}

/// Users who are not of the block and have rows of items outside it, a share of them, ascending.
std::vector<std::int32_t> draw_users(const Rows& log, const std::vector<std::uint8_t>& block_users,
                                     const std::vector<std::uint8_t>& block_items, double share, std::uint64_t seed) {
  std::vector<std::int32_t> users;
  for (std::size_t r = 0; r < log.size(); ++r) {
    const bool outside = block_items[static_cast<std::size_t>(log.item[r])] == 0;
    if (outside && block_users[static_cast<std::size_t>(log.user[r])] == 0) users.push_back(log.user[r]);
  }
  users = sorted_unique(std::move(users));
  Stream(seed, "users of valid").shuffle(std::span(users));
  users.resize(static_cast<std::size_t>(std::floor(share * static_cast<double>(users.size()) + 0.5)));
  std::sort(users.begin(), users.end());
  return users;
}

}  // namespace

std::vector<std::int32_t> sorted_unique(std::vector<std::int32_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Rows all_cells(const std::vector<std::int32_t>& users, const std::vector<std::int32_t>& items, const Rows& positives) {
  Rows out;
  for (const std::int32_t user : users) {
    out.user.insert(out.user.end(), items.size(), user);
    out.item.insert(out.item.end(), items.begin(), items.end());
  }
  out.label.assign(out.user.size(), 0);
  const auto place = [](const std::vector<std::int32_t>& numbers, std::int32_t number) {
    const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
    const bool found = at != numbers.end() && *at == number;
    return found ? static_cast<std::size_t>(at - numbers.begin()) : numbers.size();
  };
  for (std::size_t r = 0; r < positives.size(); ++r) {
    const std::size_t u = place(users, positives.user[r]), i = place(items, positives.item[r]);
    if (u < users.size() && i < items.size()) out.label[u * items.size() + i] = 1;
  }
  return out;
}

Parts split_like_block(Rows log, Rows block, double share, std::uint64_t seed) {
  const std::vector<std::int32_t> items = sorted_unique(block.item);
  const std::int32_t all_users = std::max(size_over(log.user), size_over(block.user));
  const auto block_items = marks_of(items, std::max(size_over(log.item), size_over(block.item)));
  const std::vector<std::int32_t> users = draw_users(log, marks_of(block.user, all_users), block_items, share, seed);
  Parts out;
  out.valid = all_cells(users, items, log);
  const auto chosen = marks_of(users, all_users);
  std::vector<RowNumber> gone;
  for (std::size_t r = 0; r < log.size(); ++r) {
    const auto u = static_cast<std::size_t>(log.user[r]), i = static_cast<std::size_t>(log.item[r]);
    if (chosen[u] != 0 && block_items[i] != 0) gone.push_back(static_cast<RowNumber>(r));
  }
  log.remove(gone);
  if (log.empty()) throw DataError("no row is left for train: every row is of the block's items");
  out.train = std::move(log);
  out.test = std::move(block);
  out.rule = fmt::format(
      "the fully observed block is test; valid is all pairs of its items with {} of the other users, 1 where the log "
      "has a row",
      to_text(share));
  out.test_part = "unbiased";
  return out;
}

}  // namespace equipoise
