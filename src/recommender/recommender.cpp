// Recommenders: scoring in blocks and exact top-k.
#include "recommender/recommender.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr std::size_t kBlock = 8192;        // pairs scored on the tape at once
constexpr std::size_t kSpare = 6;           // items kept beyond k, for rounding to choose among
constexpr std::size_t kInFlight = 1 << 18;  // items kept at a time, over all users that are ranked at once
constexpr std::size_t kMostAtOnce = 8192;

}  // namespace

Recommender::Recommender(std::unique_ptr<Recipe> recipe, const Dataset& data, std::uint64_t seed, Pool& pool)
    : Recommender(std::move(recipe), catalogue_of(data), data.users, data.items, seen_of(data),
                  Json::object({{"name", data.name},
                                {"fingerprint", data.fingerprint()},
                                {"protocol", data.protocol},
                                {"provenance", data.provenance}}),
                  seed, pool, std::numeric_limits<std::size_t>::max()) {}

Recommender::Recommender(std::unique_ptr<Recipe> recipe, Catalogue catalogue, IdMap users, IdMap items, Seen seen,
                         Json data, std::uint64_t seed, Pool& pool, std::size_t most_values)
    : pool_(pool),
      recipe_(std::move(recipe)),
      catalogue_(std::move(catalogue)),
      users_(std::move(users)),
      items_(std::move(items)),
      seen_(std::move(seen)),
      data_(std::move(data)),
      seed_(seed) {
  networks_.limit(most_values);
  recipe_->method().build({catalogue_, recipe_->model(), recipe_->base(), seed_}, networks_);
}

void Recommender::score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
                        std::span<float> out) const {
  EQUIPOISE_ASSERT(users.size() == items.size() && users.size() == out.size());
  Tape tape(pool_, false);
  for (std::size_t first = 0; first < users.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, users.size() - first);
    tape.clear();
    const Pairs pairs{users.subspan(first, count), items.subspan(first, count), {}, {}, {}};
    const Matrix logits = recipe_->method().predict(tape, pairs).value();
    std::copy_n(logits.data, count, out.data() + first);
  }
}

std::vector<Recommended> Recommender::top_k(std::int32_t user, std::size_t k, bool exclude_seen) const {
  std::vector<std::int32_t> candidates;
  const auto seen = exclude_seen ? seen_.of(user) : std::span<const std::int32_t>{};
  for (std::int32_t item = 0; item < items_.size(); ++item) {
    if (!std::binary_search(seen.begin(), seen.end(), item)) candidates.push_back(item);
  }
  std::vector<float> scores(candidates.size());
  if (frozen_ && !catalogue_scorer_) catalogue_scorer_ = recipe_->method().catalogue_scorer(pool_);
  if (catalogue_scorer_) {
    catalogue_scorer_->score(user, candidates, scores);
  } else {
    score(std::vector<std::int32_t>(candidates.size(), user), candidates, scores);
  }
  std::vector<Recommended> ranked(candidates.size());
  for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i] = {candidates[i], scores[i]};
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

void Recommender::top_k(std::span<const std::int32_t> users, std::size_t k, bool exclude_seen,
                        FunctionRef<void(std::size_t, std::span<const Recommended>)> take) const {
  const auto items = static_cast<std::size_t>(items_.size());
  std::unique_ptr<ProductRanking> made;
  if (k > 0 && !product_ranking_) made = ProductRanking::of(recipe_->method().predictor(), items, pool_);
  if (frozen_ && made) product_ranking_ = std::move(made);
  ProductRanking* products = k == 0 ? nullptr : product_ranking_ ? product_ranking_.get() : made.get();
  if (products == nullptr) {
    for (std::size_t u = 0; u < users.size(); ++u) take(u, top_k(users[u], k, exclude_seen));
    return;
  }
  // A fixed number of kept items in flight, so that memory depends neither on the users nor on k.
  const std::size_t at_once = std::clamp<std::size_t>(kInFlight / (std::min(k, items) + kSpare), 1, kMostAtOnce);
  for (std::size_t first = 0; first < users.size(); first += at_once) {
    const std::size_t count = std::min(at_once, users.size() - first);
    top_k_by_product(*products, users.subspan(first, count), k, exclude_seen,
                     [&](std::size_t u, std::span<const Recommended> list) { take(first + u, list); });
  }
}

// A few items more than k are kept by their products and scored anew by the plain path, so that the list and its scores
// are those of one user's top_k; where rounding could have hidden an item, it is that one.
void Recommender::top_k_by_product(ProductRanking& products, std::span<const std::int32_t> users, std::size_t k,
                                   bool exclude_seen,
                                   FunctionRef<void(std::size_t, std::span<const Recommended>)> take) const {
  auto kept = products.best(users, k + kSpare, exclude_seen ? &seen_ : nullptr);
  std::vector<std::int32_t> pair_users, pair_items;
  for (std::size_t u = 0; u < users.size(); ++u) {
    for (const Recommended& r : kept[u].items) pair_users.push_back(users[u]), pair_items.push_back(r.item);
  }
  std::vector<float> scores(pair_items.size());
  score(pair_users, pair_items, scores);
  // All of whom nothing is known have one list, and seldom a sure one: without items' biases all its scores are equal.
  std::vector<Recommended> common;
  const auto alone = [&](std::int32_t user) {
    const bool alike = knows_user(user) == Known::nothing && (!exclude_seen || seen_.of(user).empty());
    if (!alike) return top_k(user, k, exclude_seen);
    if (common.empty()) common = top_k(user, k, exclude_seen);
    return common;
  };
  auto next = scores.begin();
  for (std::size_t u = 0; u < users.size(); ++u) {
    std::vector<Recommended>& list = kept[u].items;
    for (Recommended& r : list) r.score = *next++;
    keep_best(list, k);
    const double others = kept[u].others_at_most;
    const bool sure = std::isinf(others) ? others < 0 : list.back().score > others;
    if (!sure) list = alone(users[u]);
    take(u, list);
  }
}

Known Recommender::knows(const Entities& entities, std::int32_t number) const {
  if (number < 0) return Known::nothing;
  if (entities.rows[static_cast<std::size_t>(number)] > 0) return Known::trained;
  const bool uses_features = recipe_->base() != nullptr && recipe_->model().representation.features;
  return uses_features && !entities.features.empty() ? Known::features_only : Known::nothing;
}

}  // namespace equipoise
