// D: its losses are one operation with its last layer, see softmax_loss.
#include "model/discriminator.h"

#include <algorithm>

#include "grad/kernels.h"

namespace equipoise {

Discriminator::Discriminator(Network& network, std::size_t width, int hidden, std::size_t items, Stream& stream)
    : hidden_(add_layer(network, "hidden", width, static_cast<std::size_t>(hidden), Activation::relu, stream)),
      out_(add_layer(network, "out", static_cast<std::size_t>(hidden), items, Activation::none, stream)) {}

Var Discriminator::surprise(Var phi, std::span<const std::int32_t> items) const {
  return softmax_loss(hidden_(phi), *out_.weights, *out_.bias, items);
}

Var Discriminator::distance_to(const float* prior, Var phi) const {
  return softmax_loss(hidden_(phi), *out_.weights, *out_.bias, {}, prior);
}

Matrix Discriminator::probabilities(Var phi) const {
  const Matrix p = out_(hidden_(phi)).value();
  for (std::size_t r = 0; r < p.rows; ++r) kernels().softmax(p.row(r), p.cols);
  return p;
}

double Discriminator::accuracy(Var phi, std::span<const std::int32_t> items) const {
  const Matrix logits = out_(hidden_(phi)).value();
  std::size_t right = 0;
  for (std::size_t r = 0; r < logits.rows; ++r) {
    const float* row = logits.row(r);
    right += std::max_element(row, row + logits.cols) - row == items[r];
  }
  return static_cast<double>(right) / static_cast<double>(logits.rows);
}

}  // namespace equipoise
