// D, which guesses the item from the projected user: D(φ) = softmax(W1·ReLU(W2·φ)), one output per item.
#pragma once

#include <span>

#include "model/layer.h"

namespace equipoise {

class Discriminator {
 public:
  Discriminator(Network& network, std::size_t width, int hidden, std::size_t items, Stream& stream);

  /// −log D^i(φ), row by row.
  Var surprise(Var phi, std::span<const std::int32_t> items) const;
  /// The cross-entropy −Σ_i prior_i log D^i(φ), row by row: smallest where D says no more than the prior.
  Var distance_to(const float* prior, Var phi) const;
  /// The share of rows whose item is D's first guess.
  double accuracy(Var phi, std::span<const std::int32_t> items) const;
  /// D(φ): (batch × items).
  Matrix probabilities(Var phi) const;

 private:
  Layer hidden_;
  Layer out_;
};

}  // namespace equipoise
