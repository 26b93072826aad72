// Making whole lists by the scorer's own way or by scoring every pair.
#include "eval/whole_lists.h"

#include "eval/ranking.h"
#include "eval/tally.h"
#include "recommender/seen.h"

namespace equipoise {

namespace {

void add_unseen(const Seen& seen, std::int32_t user, std::int32_t items, ListBlock& out) {
  const auto had = seen.of(user);
  auto next = had.begin();  // both ascend
  for (std::int32_t item = 0; item < items; ++item) {
    while (next != had.end() && *next < item) ++next;
    if (next == had.end() || *next != item) out.add_pair(user, item, false);
  }
}

}  // namespace

void for_whole_lists(const Scorer& scorer, const Dataset& data, const ItemFacts& facts,
                     std::span<const std::int32_t> users, int k,
                     FunctionRef<void(std::size_t, std::span<const std::int32_t>)> take) {
  std::vector<std::int32_t> items;
  const bool made = scorer.lists(users, static_cast<std::size_t>(k), [&](std::size_t u, auto list) {
    items.clear();
    for (const Recommended& r : list) items.push_back(r.item);
    take(u, items);
  });
  if (made) return;
  const Seen seen = seen_of(data);
  ListBlock block;
  std::vector<float> scores;
  for (std::size_t u = 0; u < users.size(); ++u, block.clear()) {
    add_unseen(seen, users[u], data.items.size(), block);
    score_block(scorer, data, block, scores);
    take(u, first_items(scores, block.item, facts.place_by_id, k));
  }
}

}  // namespace equipoise
