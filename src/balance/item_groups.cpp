// Item groups of a strategy: made once from the log, or as often as the item vectors have moved.
#include "balance/item_groups.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "balance/k_means.h"
#include "core/error.h"
#include "propensity/moment_side.h"

namespace equipoise {

namespace {

std::size_t most_groups(const std::string& kind, const BalanceParams& params, const BalanceContext& context) {
  if (kind == "features") return context.item_features == nullptr ? 0 : count_feature_groups(*context.item_features);
  if (kind == "clusters") return static_cast<std::size_t>(params.item_clusters);
  return kind == "popularity" ? kTenths : context.items;
}

}  // namespace

ItemGroups::ItemGroups(const std::string& kind, const BalanceParams& params, const BalanceContext& context,
                       Network& network)
    : kind_(kind),
      items_(context.items),
      count_(most_groups(kind, params, context)),
      seed_(context.seed),
      vectors_(context.item_vectors) {
  if (kind == "clusters") number_ = &network.add("item.group", TrainedArray::Kind::table, items_, 1);
  if (kind == "features" && count_ == 0) throw no_item_features();
}

UsageError no_item_features() {
  return UsageError(
      "item_groups = features needs features of items, and the data has none; choose clusters or popularity");
}

void ItemGroups::read(const Dataset& data) {
  present_ = entities_with_rows(data.train.item, items_);
  changed_ = true;
  if (kind_ == "items") groups_ = groups_of_items(items_);
  if (kind_ == "features") groups_ = groups_of_features(data.item_features, items_);
  if (kind_ == "popularity") groups_ = groups_of_popularity(data.train, items_);
  if (kind_ == "clusters") groups_ = groups_by_number(numbers_ = std::vector<std::int32_t>(items_, -1), count_);
}

void ItemGroups::refresh(Pool& pool) {
  if (number_ == nullptr) return;
  Floats vectors = vectors_of(vectors_, present_, pool);
  const Matrix rows{vectors.data(), present_.size(), vectors.size() / present_.size()};
  const std::vector<std::int32_t> cluster = k_means(rows, count_, seed_);
  std::fill(number_->values().begin(), number_->values().end(), -1.0f);
  for (std::size_t k = 0; k < present_.size(); ++k) {
    number_->values()[static_cast<std::size_t>(present_[k])] = static_cast<float>(cluster[k]);
  }
}

bool ItemGroups::settle() {
  if (number_ != nullptr) {
    const Floats& kept = number_->values();
    for (std::size_t i = 0; i < items_; ++i) {
      const auto number =
          std::clamp(static_cast<std::int32_t>(std::lround(kept[i])), -1, static_cast<std::int32_t>(count_) - 1);
      changed_ = changed_ || number != numbers_[i];
      numbers_[i] = number;
    }
    if (changed_) groups_ = groups_by_number(numbers_, count_);
  }
  return std::exchange(changed_, false);
}

Floats vectors_of(const ItemVectors& vectors, std::span<const std::int32_t> items, Pool& pool) {
  Tape tape(pool, false);
  const Matrix rows = vectors(tape, items).value();
  return {rows.data, rows.data + rows.size()};
}

}  // namespace equipoise
