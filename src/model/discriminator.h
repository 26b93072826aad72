// D, which guesses the item from the projected user: D(φ) = softmax(W1·ReLU(W2·φ)), one output per item.
#pragma once

#include <span>
#include <vector>

#include "core/alias.h"
#include "model/layer.h"

namespace equipoise {

/// How large D is, and whether its softmax is whole or sampled.
struct DiscriminatorDesign {
  int hidden = 64;
  int full_items = 4096;  // up to so many items the whole softmax is computed, beyond it a sample
  int samples = 256;      // items that a batch's rows are compared with, then
  std::uint64_t seed = 0;
};

class Discriminator {
 public:
  Discriminator(Network& network, std::size_t width, std::size_t items, const DiscriminatorDesign& design,
                Stream& stream);

  /// How often each item was shown: the sample of a large D is drawn half by it, half uniformly among shown items.
  void read(std::span<const std::int32_t> shown_items);

  /// factor · mean w·(−log D^i(φ)). Where D is large this is the sampled estimate, by a sample named by (a, b).
  Var surprise(Var phi, std::span<const std::int32_t> items, Var w, float factor, std::uint64_t a, std::uint64_t b);
  /// factor · mean w·(−Σ_i prior_i log D^i(φ)): smallest where D says no more than the prior. Small D only.
  Var distance_to(const float* prior, Var phi, Var w, float factor) const;
  /// The share of rows whose item is D's first guess. Small D only.
  double accuracy(Var phi, std::span<const std::int32_t> items) const;
  /// D(φ): (batch × items). Small D only.
  Matrix probabilities(Var phi) const;
  bool sampled() const { return out_.weights == nullptr; }

 private:
  Var sampled_surprise(Var phi, std::span<const std::int32_t> items, std::uint64_t a, std::uint64_t b);

  DiscriminatorDesign design_;
  Layer hidden_;
  Layer out_;                     // small: (hidden × items)
  std::vector<Lookup> classes_;   // large: a table (items × (hidden + 1)), weights and bias; one source
  std::vector<double> law_;       // the chance of each item to be a sample
  std::vector<AliasTable> draw_;  // by that law; one
};

}  // namespace equipoise
