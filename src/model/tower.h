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
  /// Of the inputs side by side.
  Var operator()(std::initializer_list<Var> inputs) const { return tower(inputs, layers_); }

  /// What some of the inputs, from `first_input` on, add to the first layer before its bias and activation.
  Matrix first_part(Tape& tape, const Matrix& x, std::size_t first_input) const {
    return part_of_layer(tape, x, *layers_.front().weights, first_input);
  }
  std::size_t first_width() const { return layers_.front().weights->cols(); }
  /// The tower from there on: `sum` holds all parts of the first layer, (batch × first_width), and is overwritten.
  Var finish(Tape& tape, const Matrix& sum) const;

 private:
  std::vector<Layer> layers_;
};

}  // namespace equipoise
