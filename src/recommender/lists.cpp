// Exact lists of the best items: for one user by scoring all, for many by products where logits are products.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "recommender/recommender.h"

namespace equipoise {

namespace {

constexpr std::size_t kSpare = 6;           // items kept beyond k, for rounding to choose among
constexpr std::size_t kInFlight = 1 << 18;  // items kept at a time, over all users that are ranked at once
constexpr std::size_t kMostAtOnce = 8192;
constexpr std::size_t kFewCandidates = 16;  // one item in so many: below it, scoring those alone costs less

}  // namespace

// Products of all items are worth it unless few of them may be in a list. A permuted history holds items that its user
// has not seen, and of those each pair sees another history.
bool Recommender::by_product(const ListQuery& query) const {
  return product_ranking_ && query.k > 0 && !catalogue_.history.permuted &&
         (query.eligible.all() || query.eligible.count() * kFewCandidates > static_cast<std::size_t>(items_.size()));
}

const Seen& Recommender::seen_in(const ListQuery& query, Seen& room) const {
  if (query.guests == nullptr) return seen_;
  room = seen_of(query.guests->history);
  return room;
}

std::vector<Recommended> Recommender::top_k(std::int32_t user, const ListQuery& query, Pool& pool) const {
  std::vector<Recommended> out;
  const std::int32_t one[] = {user};
  top_k(one, query, pool,
        [&](std::size_t, std::span<const Recommended> list) { out.assign(list.begin(), list.end()); });
  return out;
}

void Recommender::top_k(std::span<const std::int32_t> users, const ListQuery& query, Pool& pool, TakeList take) const {
  Seen room;
  const Seen& seen = seen_in(query, room);
  if (!by_product(query)) return top_k_one_by_one(users, query, seen, pool, take);
  // A fixed number of kept items in flight, so that memory depends neither on the users nor on k.
  const std::size_t most = std::min(query.k, static_cast<std::size_t>(items_.size()));
  const std::size_t at_once = std::clamp<std::size_t>(kInFlight / (most + kSpare), 1, kMostAtOnce);
  for (std::size_t first = 0; first < users.size(); first += at_once) {
    const std::size_t count = std::min(at_once, users.size() - first);
    top_k_by_product(users.subspan(first, count), query, seen, pool,
                     [&](std::size_t u, std::span<const Recommended> list) { take(first + u, list); });
  }
}

// Each user by one thread: their scores do not depend on who computes them.
void Recommender::top_k_one_by_one(std::span<const std::int32_t> users, const ListQuery& query, const Seen& seen,
                                   Pool& pool, TakeList take) const {
  const std::size_t at_once = 8 * static_cast<std::size_t>(pool.threads());
  std::vector<std::vector<Recommended>> lists(std::min(at_once, users.size()));
  for (std::size_t first = 0; first < users.size(); first += at_once) {
    const std::size_t count = std::min(at_once, users.size() - first);
    if (count == 1) lists[0] = plain_top_k(users[first], query, seen, pool);
    if (count > 1) {
      pool.run(count, [&](std::size_t u) { lists[u] = plain_top_k(users[first + u], query, seen, one_thread()); });
    }
    for (std::size_t u = 0; u < count; ++u) take(first + u, lists[u]);
  }
}

// Where the catalogue is scored in halves, which differ from a pair's own score by rounding, a few items more than k
// are kept by that and scored by themselves, so that a list has the scores that `score` gives. What the user has is
// scored by itself in any case: its pair does not see it in the user's history.
std::vector<Recommended> Recommender::plain_top_k(std::int32_t user, const ListQuery& query, const Seen& seen,
                                                  Pool& pool) const {
  const FlushDenormals flush;
  const bool in_halves = catalogue_scorer_ != nullptr && !catalogue_.history.permuted;
  std::vector<std::int32_t> candidates, had;
  const auto own = seen.of(user);
  auto next = own.begin();  // both ascend
  for (std::int32_t item = 0; item < items_.size(); ++item) {
    while (next != own.end() && *next < item) ++next;
    const bool has = next != own.end() && *next == item;
    if (!query.eligible.has(item) || (has && !query.include_seen)) continue;
    (has && in_halves ? had : candidates).push_back(item);
  }
  if (in_halves) {
    std::vector<float> scores(candidates.size());
    catalogue_scorer_->score(user, candidates, scores, pool, query.guests);
    const std::vector<Recommended> ranked = ranked_by(candidates, scores, query.k + kSpare);
    candidates = std::move(had);
    for (const Recommended& r : ranked) candidates.push_back(r.item);
  }
  std::vector<float> scores(candidates.size());
  score(std::vector<std::int32_t>(candidates.size(), user), candidates, scores, pool, query.guests);
  return ranked_by(candidates, scores, query.k);
}

std::vector<Recommended> Recommender::ranked_by(const std::vector<std::int32_t>& items,
                                                const std::vector<float>& scores, std::size_t k) const {
  std::vector<Recommended> ranked(items.size());
  for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i] = {items[i], scores[i]};
  keep_best(ranked, k);
  return ranked;
}

void Recommender::keep_best(std::vector<Recommended>& ranked, std::size_t k) const {
  const auto better = [&](const Recommended& a, const Recommended& b) {
    return a.score != b.score ? a.score > b.score : items_.name(a.item) < items_.name(b.item);
  };
  k = std::min(k, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(k), ranked.end(), better);
  ranked.resize(k);
}

// A few items more than k are kept by their products and scored anew by the plain path, so that the list and its scores
// are those of plain_top_k; where rounding could have hidden an item, it is that one. Where users have a history, what
// they have is not among the products, whose history is whole: it is scored by the plain path too.
void Recommender::top_k_by_product(std::span<const std::int32_t> users, const ListQuery& query, const Seen& seen,
                                   Pool& pool, TakeList take) const {
  const FlushDenormals flush;
  const bool beside = query.include_seen && (query.guests != nullptr || !catalogue_.history.empty());
  const bool hide = beside || !query.include_seen;
  auto kept =
      product_ranking_->best(users, query.k + kSpare, hide ? &seen : nullptr, query.eligible, pool, query.guests);
  std::vector<std::int32_t> pair_users, pair_items;
  std::vector<std::size_t> begin = {0};  // of each user's pairs
  for (std::size_t u = 0; u < users.size(); ++u) {
    for (const std::int32_t item : beside ? seen.of(users[u]) : std::span<const std::int32_t>{}) {
      if (query.eligible.has(item)) kept[u].items.push_back({item, 0});
    }
    for (const Recommended& r : kept[u].items) pair_users.push_back(users[u]), pair_items.push_back(r.item);
    begin.push_back(pair_items.size());
  }
  std::vector<float> scores(pair_items.size());
  score(pair_users, pair_items, scores, pool, query.guests);
  std::vector<std::uint8_t> sure(users.size());
  for_row_chunks(pool, users.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t u = first; u < last; ++u) {
      std::vector<Recommended>& list = kept[u].items;
      for (std::size_t n = 0; n < list.size(); ++n) list[n].score = scores[begin[u] + n];
      keep_best(list, query.k);
      const double others = kept[u].others_at_most;
      sure[u] = std::isinf(others) ? others < 0 : list.back().score > others;
    }
  });
  // All of whom nothing is known have one list, and seldom a sure one: without items' biases all its scores are equal.
  std::vector<Recommended> common;
  const auto alone = [&](std::int32_t user) {
    const bool alike = query.guests == nullptr && knows_user(user) == Known::nothing && seen.of(user).empty();
    if (!alike) return plain_top_k(user, query, seen, pool);
    if (common.empty()) common = plain_top_k(user, query, seen, pool);
    return common;
  };
  for (std::size_t u = 0; u < users.size(); ++u) {
    if (sure[u] == 0) kept[u].items = alone(users[u]);
    take(u, kept[u].items);
  }
}

}  // namespace equipoise
