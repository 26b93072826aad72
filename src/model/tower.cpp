// A tower: its layers.
#include "model/tower.h"

#include "grad/kernels.h"

namespace equipoise {

Tower::Tower(Network& network, const std::string& name, std::size_t in, const std::vector<int>& hidden, std::size_t out,
             Activation activation, Stream& stream) {
  const auto add = [&](std::size_t width, Activation a) {
    layers_.push_back(add_layer(network, name + "." + std::to_string(layers_.size() + 1), in, width, a, stream));
    in = width;
  };
  for (const int width : hidden) add(static_cast<std::size_t>(width), activation);
  add(out, Activation::none);
}

Var Tower::finish(Tape& tape, const Matrix& sum) const {
  const Layer& first = layers_.front();
  for (std::size_t r = 0; r < sum.rows; ++r) kernels().add(first.bias->values().data(), sum.row(r), sum.cols);
  activate(first.activation, sum.data, sum.size());
  const Var x = tape.constant(sum.data, sum.rows, sum.cols);
  return layers_.size() == 1 ? x : tower({x}, std::span(layers_).subspan(1));
}

}  // namespace equipoise
