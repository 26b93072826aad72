// φ, the projection of the user: φ(u, z) = A [u; z] + a, linear, as wide as the user's own representation.
#pragma once

#include "model/layer.h"

namespace equipoise {

class Projection {
 public:
  /// The confounder's width is 0 where there is none: φ(u) = A u + a. A begins as the identity on u and small noise on
  /// z, so that training starts from the model without a projection.
  Projection(Network& network, std::size_t user_width, std::size_t confounder_width, Stream& stream);

  Var operator()(Var user) const { return layer_(user); }
  Var operator()(Var user, Var z) const { return tower({user, z}, {&layer_, 1}); }
  const Layer& layer() const { return layer_; }

 private:
  Layer layer_;
};

}  // namespace equipoise
