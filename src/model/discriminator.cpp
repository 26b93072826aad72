// D: a whole softmax for small catalogues, a sampled one for large.
#include "model/discriminator.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "grad/kernels.h"

namespace equipoise {

Discriminator::Discriminator(Network& network, std::size_t width, std::size_t items, const DiscriminatorDesign& design,
                             Stream& stream)
    : design_(design) {
  const auto hidden = static_cast<std::size_t>(design.hidden);
  hidden_ = add_layer(network, "hidden", width, hidden, Activation::relu, stream);
  if (items <= static_cast<std::size_t>(design.full_items)) {
    out_ = add_layer(network, "out", hidden, items, Activation::none, stream);
    return;
  }
  TrainedArray& table = network.add_shared("classes", items, hidden + 1);
  table.fill_normal(stream, 1 / std::sqrt(static_cast<double>(hidden)));
  for (std::size_t i = 0; i < table.held(); ++i) table.value().row(i)[hidden] = 0.0f;
  classes_ = {{&table}};
  law_.assign(items, 1.0 / static_cast<double>(items));
}

void Discriminator::read(std::span<const std::int32_t> shown_items) {
  if (!sampled()) return;
  std::fill(law_.begin(), law_.end(), 0.0);
  for (const std::int32_t item : shown_items) law_[static_cast<std::size_t>(item)] += 1;
  const auto present = static_cast<double>(std::count_if(law_.begin(), law_.end(), [](double n) { return n > 0; }));
  const auto total = static_cast<double>(shown_items.size());
  for (double& q : law_) q = q > 0 ? 0.5 * q / total + 0.5 / present : 0;
  draw_ = {AliasTable(law_)};
}

Var Discriminator::surprise(Var phi, std::span<const std::int32_t> items, Var w, float factor, std::uint64_t a,
                            std::uint64_t b) {
  if (sampled()) return factor * mean(w * sampled_surprise(phi, items, a, b));
  return softmax_loss(hidden_(phi), *out_.weights, *out_.bias, {items}, w, factor);
}

// −log D^i(φ), row by row
Var Discriminator::sampled_surprise(Var phi, std::span<const std::int32_t> items, std::uint64_t a, std::uint64_t b) {
  Tape& tape = *phi.tape;
  const auto samples = static_cast<std::size_t>(design_.samples);
  auto* drawn = tape.arena().take_array<std::int32_t>(samples);
  auto* expected = tape.arena().take_array<float>(samples);
  Stream stream(design_.seed, "sample of D", a, b);
  for (std::size_t j = 0; j < samples; ++j) {
    drawn[j] = static_cast<std::int32_t>(draw_.front().draw(stream));
    expected[j] = static_cast<float>(static_cast<double>(samples) * law_[static_cast<std::size_t>(drawn[j])]);
  }
  const std::span<const std::int32_t> sample(drawn, samples);
  return sampled_softmax_loss(hidden_(phi), lookup(tape, items, classes_), whole(lookup(tape, sample, classes_)), items,
                              sample, expected);
}

Var Discriminator::distance_to(const float* prior, Var phi, Var w, float factor) const {
  EQUIPOISE_ASSERT(!sampled());
  return softmax_loss(hidden_(phi), *out_.weights, *out_.bias, {{}, prior}, w, factor);
}

Matrix Discriminator::probabilities(Var phi) const {
  EQUIPOISE_ASSERT(!sampled());
  const Matrix p = out_(hidden_(phi)).value();
  for (std::size_t r = 0; r < p.rows; ++r) softmax(p.row(r), p.cols);
  return p;
}

double Discriminator::accuracy(Var phi, std::span<const std::int32_t> items) const {
  EQUIPOISE_ASSERT(!sampled());
  const Matrix logits = out_(hidden_(phi)).value();
  std::size_t right = 0;
  for (std::size_t r = 0; r < logits.rows; ++r) {
    const float* row = logits.row(r);
    right += std::max_element(row, row + logits.cols) - row == items[r];
  }
  return static_cast<double>(right) / static_cast<double>(logits.rows);
}

}  // namespace equipoise
