// A fully connected layer: its arrays and the table of activations.
#include "model/layer.h"

#include <cmath>

#include "core/error.h"
#include "core/named.h"
#include "grad/gemm.h"

namespace equipoise {

Layer add_layer(Network& network, const std::string& name, std::size_t in, std::size_t out, Activation activation,
                Stream& stream) {
  TrainedArray& weights = network.add(name + ".weights", TrainedArray::Kind::dense, in, out);
  weights.fill_normal(stream, std::sqrt(2.0 / static_cast<double>(in + out)));
  return {&weights, &network.add(name + ".bias", TrainedArray::Kind::dense, 1, out), activation};
}

Matrix part_of_layer(Tape& tape, const Matrix& x, const TrainedArray& weights, std::size_t first_row) {
  EQUIPOISE_ASSERT(first_row + x.cols <= weights.rows());
  const Matrix out{tape.arena().take_array<float>(x.rows * weights.cols()), x.rows, weights.cols()};
  const float* block = weights.values().data() + first_row * weights.cols();
  for_row_chunks(tape.pool(), x.rows, [&](std::size_t first, std::size_t last) {
    affine(last - first, out.cols, x.cols, x.row(first), block, nullptr, out.row(first));
  });
  return out;
}

const std::vector<ActivationEntry>& activations() {
  static const std::vector<ActivationEntry> table = {
      {"elu", Activation::elu}, {"relu", Activation::relu}, {"tanh", Activation::tanh}};
  return table;
}

Activation activation_of(const std::string& name) { return find_named(activations(), name, "activation").activation; }

}  // namespace equipoise
