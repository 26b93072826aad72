// Scores one user against many items with everything that depends on one side alone computed once.
#pragma once

#include <span>

#include "model/confounder.h"
#include "model/projection.h"
#include "model/rating_model.h"

namespace equipoise {

/// Any number of threads may call it at once.
class CatalogueScorer {
 public:
  virtual ~CatalogueScorer() = default;
  /// A logit for (user, item), for each item; equal to the plain path up to rounding, but for items of the user's own
  /// history: these are scored as if the user had not had them and they were left out of nothing. With guests, the user
  /// is one of theirs.
  virtual void score(std::int32_t user, std::span<const std::int32_t> items, std::span<float> out, Pool& pool,
                     const Guests* guests = nullptr) const = 0;
};

/// For f(φ(u, z), i) with z = c(i, u). The first layers of c and of f are sums of a user's part and an item's part:
/// c's first layer is V3u·u + V3i·i, and with φ = A u + B z + a, f's is W·(A u + a) + (W·B)·z + its item's part. So a
/// pair costs c's inner layers, one small product with z, and f's inner layers. The parts must outlive it.
std::unique_ptr<CatalogueScorer> confounded_scorer(const RatingModel& f, const Projection& phi, const Confounder& c,
                                                   std::size_t items, std::size_t width, Pool& pool);

}  // namespace equipoise
