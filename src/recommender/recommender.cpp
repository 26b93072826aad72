// Recommenders: how they are made, and scoring in blocks.
#include "recommender/recommender.h"

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "grad/gemm.h"

namespace equipoise {

namespace {

constexpr std::size_t kBlock = 4096;  // pairs scored on the tape at once: each takes some 12 KB there

// The recipe is settled for the log that it is to learn from.
Catalogue catalogue_for(Recipe& recipe, const Dataset& data, std::uint64_t seed) {
  check_labels(recipe.method_name(), recipe.method(), data);
  recipe.method().consider(data);
  Catalogue out = catalogue_of(data);
  if (recipe.base() != nullptr) {
    recipe.model().history.settle(data);
    out.history = history_of(data, recipe.model().history, seed);
  }
  return out;
}

}  // namespace

Recommender::Recommender(std::unique_ptr<Recipe> recipe, const Dataset& data, std::uint64_t seed, Ranks& ranks)
    : Recommender(std::move(recipe), catalogue_for(*recipe, data, seed), data.users, data.items, seen_of(data),
                  Json::object({{"name", data.name},
                                {"fingerprint", data.fingerprint()},
                                {"protocol", data.protocol},
                                {"provenance", data.provenance}}),
                  seed, std::numeric_limits<std::size_t>::max(), ranks) {
  EQUIPOISE_ASSERT(data.item_names.empty() || std::ssize(data.item_names) == items_.size());
  item_names_ = data.item_names;
}

Recommender::Recommender(std::unique_ptr<Recipe>&& recipe, Catalogue catalogue, IdMap users, IdMap items, Seen seen,
                         Json data, std::uint64_t seed, std::size_t most_values, Ranks& ranks)
    : recipe_(std::move(recipe)),
      catalogue_(std::move(catalogue)),
      users_(std::move(users)),
      items_(std::move(items)),
      seen_(std::move(seen)),
      data_(std::move(data)),
      seed_(seed),
      ranks_(ranks) {
  networks_.limit(most_values);
  if (recipe_->shares_tables()) networks_.share(ranks);
  recipe_->method().build({catalogue_, recipe_->model(), recipe_->base(), seed_}, networks_);
}

void Recommender::freeze(Pool& pool) {
  const FlushDenormals flush;
  if (has_products(networks_)) prepare_products();  // before threads may call it
  for (Network& network : networks_.all()) {
    for (TrainedArray& p : network.arrays()) p.freeze();
  }
  prepare_lists(pool);
}

void Recommender::prepare_lists(Pool& pool) {
  const FlushDenormals flush;
  catalogue_scorer_ = recipe_->method().catalogue_scorer(pool);
  product_ranking_ = ProductRanking::of(recipe_->method().predictor(), static_cast<std::size_t>(items_.size()), pool);
}

void Recommender::forget_lists() {
  catalogue_scorer_.reset();
  product_ranking_.reset();
}

void Recommender::score(std::span<const std::int32_t> users, std::span<const std::int32_t> items, std::span<float> out,
                        Pool& pool, const Guests* guests) const {
  EQUIPOISE_ASSERT(users.size() == items.size() && users.size() == out.size());
  const FlushDenormals flush;
  Tape tape(pool, false);
  for (std::size_t first = 0; first < users.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, users.size() - first);
    tape.clear();
    const Pairs pairs{users.subspan(first, count), items.subspan(first, count), {}, {}, {}, {}, guests};
    const Matrix logits = recipe_->method().predict(tape, pairs).value();
    std::copy_n(logits.data, count, out.data() + first);
  }
}

UserItems Recommender::items_of(std::int32_t user) const {
  UserItems out;
  const UserItems& history = catalogue_.history;
  const bool kept = !history.empty() && !history.permuted;
  const auto items = kept ? history.of(user) : seen_.of(user);
  const std::vector<float> unknown(items.size(), std::numeric_limits<float>::quiet_NaN());
  out.add(items, kept ? history.labels_of(user) : std::span<const float>(unknown));
  return out;
}

Known Recommender::knows(const Entities& entities, std::int32_t number) const {
  if (number < 0) return Known::nothing;
  if (entities.rows[static_cast<std::size_t>(number)] > 0) return Known::trained;
  const bool uses_features = recipe_->base() != nullptr && recipe_->model().representation.features;
  return uses_features && !entities.features.empty() ? Known::features_only : Known::nothing;
}

}  // namespace equipoise
