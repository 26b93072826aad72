// The vectors of users and items that a recommender's scores are made of, for other programs and for similar items.
#pragma once

#include <span>
#include <vector>

#include "recommender/recommender.h"

namespace equipoise {

enum class Side { users, items };

/// Whether a recommender has vectors, and what their products are.
enum class Vectors {
  none,             // scores are made of counts alone
  representations,  // the product of a user's vector and an item's is not the score
  factors,          // it is, up to rounding: biases and weights are inside
};
Vectors vectors_of(const Recommender& recommender);

/// Numbers of a vector; UsageError if there are none.
std::size_t vector_width(const Recommender& recommender);

/// Hands over the vectors of all users or items in the order of their numbers, some rows at a time: (rows × width).
void each_vector(const Recommender& recommender, Side side, Pool& pool, FunctionRef<void(const Matrix&)> take);

/// The items whose vectors have the largest cosine with that item's, best first, equal ones in the order of their ids.
/// The item itself, and items of which nothing is known, are in no such list. UsageError if there are no vectors, or
/// nothing is known of the item.
std::vector<Recommended> similar_items(const Recommender& recommender, std::int32_t item, std::size_t k,
                                       const Eligible& eligible, Pool& pool);

}  // namespace equipoise
