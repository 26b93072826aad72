// A tower: layers one after another, the last one without activation.
#pragma once

#include <string>
#include <vector>

#include "model/layer.h"

namespace equipoise {

class Tower {
 public:
  /// in → hidden… → out; layers are named "<name>.1", "<name>.2", …
  Tower(Network& network, const std::string& name, std::size_t in, const std::vector<int>& hidden, std::size_t out,
        Activation activation, Stream& stream);
  Var operator()(Var x) const {
    for (const Layer& layer : layers_) x = layer(x);
    return x;
  }

 private:
  std::vector<Layer> layers_;
};

}  // namespace equipoise
