// Scores pairs of a data set by a recommender trained on another numbering of users and items.
#pragma once

#include <vector>

#include "recommender/recommender.h"

namespace equipoise {

class Aligned final : public Scorer {
 public:
  /// Ids are matched by their texts; ids that the model has never heard of count as unknown (−1). The recommender and
  /// the pool must outlive it.
  Aligned(const Recommender& recommender, const Dataset& data, Pool& pool);

  void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
             std::span<float> out) const override;
  bool gives_chances() const override { return recommender_.recipe().method().scores_are_chances(); }
  /// Where the data set is the one that the model was trained on.
  bool lists(std::span<const std::int32_t> users, std::size_t k, TakeList take) const override;
  std::int32_t unknown_users() const { return unknown_users_; }
  std::int32_t unknown_items() const { return unknown_items_; }
  /// How many of the rows have a pair that the model was trained on.
  std::int64_t trained_on(const Rows& rows) const;

 private:
  const Recommender& recommender_;
  Pool& pool_;
  std::int32_t unknown_users_ = 0;  // counted while the next two are made
  std::int32_t unknown_items_ = 0;
  std::vector<std::int32_t> users_;  // the data set's number → the model's
  std::vector<std::int32_t> items_;
  std::vector<std::int32_t> back_;  // the model's number of an item → the data set's; empty where the data is another
};

}  // namespace equipoise
