// The graph of users and items: embeddings spread over it, as one more part of both vectors.
#pragma once

#include "core/parallel.h"
#include "data/user_items.h"
#include "grad/trained_array.h"

namespace equipoise {

/// e ← D^(−½) A D^(−½) e, once a layer, from the id embeddings; the part is the mean of the layers. It is computed over
/// the whole graph at a refresh and held constant in between: no gradient flows through it.
class Graph {
 public:
  /// Adds its two tables to a network that no phase moves. All must outlive it.
  Graph(Network& network, const UserItems& edges, const TrainedArray& user_ids, const TrainedArray& item_ids,
        int layers);

  void refresh(Pool& pool);

  /// What an item hands on to the users that have it: a user's part is |R_u|^(−½) · Σ of these.
  TrainedArray& to_users() { return *to_users_; }
  /// The items' own part.
  TrainedArray& of_items() { return *of_items_; }

 private:
  const UserItems& edges_;
  const TrainedArray& user_ids_;
  const TrainedArray& item_ids_;
  int layers_;
  TrainedArray* to_users_;                // (items × width)
  TrainedArray* of_items_;                // (items × width)
  std::vector<std::int64_t> offsets_{0};  // (items + 1): users[offsets[i]] … have item i
  std::vector<std::int32_t> users_;
  std::vector<float> user_scale_, item_scale_;  // degree^(−½); 0 where there is no edge
};

}  // namespace equipoise
