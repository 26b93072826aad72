// φ: its start.
#include "model/projection.h"

#include <algorithm>

namespace equipoise {

Projection::Projection(Network& network, std::size_t user_width, std::size_t confounder_width, Stream& stream)
    : layer_(add_layer(network, "project", user_width + confounder_width, user_width, Activation::none, stream)) {
  const Matrix a = layer_.weights->value();
  for (std::size_t r = 0; r < user_width; ++r) {
    std::fill_n(a.row(r), user_width, 0.0f);
    a.row(r)[r] = 1.0f;
  }
}

}  // namespace equipoise
