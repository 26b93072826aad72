// The item groups that a strategy compares users between; clusters follow the item vectors.
#pragma once

#include "balance/balance.h"
#include "core/error.h"
#include "data/item_groups.h"

namespace equipoise {

class ItemGroups {
 public:
  /// `kind` is items, features, clusters or popularity; clusters add "item.group" to the network.
  ItemGroups(const std::string& kind, const BalanceParams& params, const BalanceContext& context, Network& network);

  /// How many groups there may be, known before any log is.
  std::size_t count() const { return count_; }
  void read(const Dataset& data);
  /// Makes clusters of the item vectors as they are now.
  void refresh(Pool& pool);
  /// Those of now. True once after they have changed, also by a checkpoint that was read.
  bool settle();
  const Groups& now() const { return groups_; }

 private:
  std::string kind_;
  std::size_t items_, count_;
  std::uint64_t seed_;
  ItemVectors vectors_;
  TrainedArray* number_ = nullptr;     // (items × 1) the cluster of each item, −1 = none
  std::vector<std::int32_t> numbers_;  // of `groups_`, where they are clusters
  std::vector<std::int32_t> present_;  // items with rows
  Groups groups_;
  bool changed_ = false;
};

/// There are no features of items to make groups of.
UsageError no_item_features();
/// (items × width) the vectors of these items.
Floats vectors_of(const ItemVectors& vectors, std::span<const std::int32_t> items, Pool& pool);

}  // namespace equipoise
