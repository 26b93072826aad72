// A tower: its layers.
#include "model/tower.h"

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

}  // namespace equipoise
