// The slope of a column along the gradient of another loss: a central difference, with the arrays put back exactly.
#pragma once

#include <memory>

#include "core/parallel.h"
#include "grad/tape.h"
#include "grad/trained_array.h"

namespace equipoise {

class SlopeAlong {
 public:
  /// ⟨∇e, ∇L⟩ of every row of e, as a constant column of the tape: (e(θ + h∇L) − e(θ − h∇L)) ÷ 2h, θ the network's
  /// arrays and h∇L of a small fixed length. `e` and `loss` are computed anew on the tapes they are called with. The
  /// arrays end with the values, and without the gradients, that they came with.
  Var operator()(Tape& tape, Network& network, FunctionRef<Var(Tape&)> e, FunctionRef<Var(Tape&)> loss);

 private:
  void take_gradient(Tape& tape, Network& network, FunctionRef<Var(Tape&)> loss);
  double length(Network& network) const;
  /// θ = what was saved + h∇L, rows that were not touched staying as they are.
  void move(Network& network, float h);

  std::unique_ptr<Tape> inner_;
  Floats saved_;  // the values that move, array by array
};

}  // namespace equipoise
