// Recommenders: scoring in blocks and exact top-k.
#include "recommender/recommender.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr std::size_t kBlock = 8192;  // pairs scored on the tape at once

}  // namespace

std::span<const std::int32_t> Seen::of(std::int32_t user) const {
  if (user < 0) return {};
  const auto first = static_cast<std::size_t>(offsets[static_cast<std::size_t>(user)]);
  const auto last = static_cast<std::size_t>(offsets[static_cast<std::size_t>(user) + 1]);
  return std::span(items).subspan(first, last - first);
}

Seen seen_of(const Dataset& data) {
  const auto users = static_cast<std::size_t>(data.users.size());
  Seen seen;
  seen.offsets.assign(users + 1, 0);
  for (const std::int32_t u : data.train.user) ++seen.offsets[static_cast<std::size_t>(u) + 1];
  std::partial_sum(seen.offsets.begin(), seen.offsets.end(), seen.offsets.begin());
  seen.items.resize(data.train.size());
  std::vector<std::int64_t> next(seen.offsets.begin(), seen.offsets.end() - 1);
  for (std::size_t t = 0; t < data.train.size(); ++t) {
    std::int64_t& place = next[static_cast<std::size_t>(data.train.user[t])];
    seen.items[static_cast<std::size_t>(place++)] = data.train.item[t];
  }
  for (std::size_t u = 0; u < users; ++u) {
    std::sort(seen.items.begin() + seen.offsets[u], seen.items.begin() + seen.offsets[u + 1]);
  }
  return seen;
}

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
  const auto better = [&](const Recommended& a, const Recommended& b) {
    return a.score != b.score ? a.score > b.score : items_.name(a.item) < items_.name(b.item);
  };
  k = std::min(k, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(k), ranked.end(), better);
  ranked.resize(k);
  return ranked;
}

Known Recommender::knows(const Entities& entities, std::int32_t number) const {
  if (number < 0) return Known::nothing;
  if (entities.rows[static_cast<std::size_t>(number)] > 0) return Known::trained;
  const bool uses_features = recipe_->base() != nullptr && recipe_->model().representation.features;
  return uses_features && !entities.features.empty() ? Known::features_only : Known::nothing;
}

}  // namespace equipoise
