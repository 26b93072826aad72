// The best items of many users where a logit is a product of factors: products tile by tile, and a running top-k.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "grad/matrix.h"
#include "model/rating_model.h"
#include "recommender/eligible.h"
#include "recommender/scorer.h"
#include "recommender/seen.h"

namespace equipoise {

/// Holds the items' factors, and a tile of scores for each thread while it works: never users × items. Any number of
/// threads may call it at once.
class ProductRanking {
 public:
  /// Users ranked together, so that items' factors are fetched once for all of them.
  static constexpr std::size_t kUsers = 192;

  /// nullptr if the model's logits are no products. The model must outlive it and stay as it is.
  static std::unique_ptr<ProductRanking> of(const RatingModel* f, std::size_t items, Pool& pool);
  ProductRanking(const RatingModel& f, std::size_t items, Pool& pool);

  struct Kept {
    std::vector<Recommended> items;  // in no order
    /// No other item's logit by the plain path is above this; −∞ where there is no other item.
    double others_at_most;
  };
  /// For each user (or guest) the `keep` items with the largest products, of those that are eligible and not in `seen`
  /// (nullptr = of all). A product differs from the plain path's logit by rounding, and `others_at_most` takes that
  /// into account. A user's own history is whole in a product, so that where users have one, `seen` must hide it.
  std::vector<Kept> best(std::span<const std::int32_t> users, std::size_t keep, const Seen* seen,
                         const Eligible& eligible, Pool& pool, const Guests* guests = nullptr) const;

 private:
  void rank_block(std::span<const std::int32_t> users, const Matrix& factors, std::size_t keep, const Seen* seen,
                  const Eligible& eligible, Kept* out) const;

  const RatingModel& f_;
  std::size_t width_ = 0;  // of the vectors: q has so many numbers, the factors two more
  double longest_ = 0;     // the largest norm of an item's factors
  /// Items in the order in which they are looked at: long factors first, since those who are to be recommended are
  /// mostly among them, and the earlier they come the fewer others look better for a while.
  std::vector<std::int32_t> order_;
  std::size_t tiles_;
  Floats packed_;  // (tiles × width + 1 × kTileItems): b_i, then q, each number of a tile's items side by side
};

}  // namespace equipoise
