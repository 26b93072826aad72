// The slope of a column along the gradient of another loss, by a central difference.
#include "method/slope_along.h"

#include <cmath>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr double kLength = 0.02;  // of the move: rounding of a float loss is then far below the difference

// Calls f(values, gradient, count) for each stretch of numbers that has a gradient, in a fixed order.
template <class F>
void each_stretch(Network& network, F f) {
  for (TrainedArray& p : network.arrays()) {
    if (!p.has_gradient() && !(p.is_table() && !p.touched().empty())) continue;
    if (!p.is_table()) {
      f(p.values().data(), p.gradient().data, p.values().size());
      continue;
    }
    for (std::size_t slot = 0; slot < p.touched().size(); ++slot) {
      f(p.value().row(static_cast<std::size_t>(p.touched()[slot])), p.touched_gradient(slot), p.cols());
    }
  }
}

}  // namespace

void SlopeAlong::take_gradient(Tape& tape, Network& network, FunctionRef<Var(Tape&)> loss) {
  if (!inner_ || &inner_->pool() != &tape.pool()) inner_ = std::make_unique<Tape>(tape.pool());
  for (TrainedArray& p : network.arrays()) p.moves = true;
  inner_->clear();
  inner_->sharing().like(tape.sharing());
  inner_->backward(loss(*inner_));
  for (TrainedArray& p : network.arrays()) p.moves = false;
}

double SlopeAlong::length(Network& network) const {
  double squares = 0;
  each_stretch(network, [&](const float*, const float* g, std::size_t count) {
    double stretch = 0;
    for (std::size_t k = 0; k < count; ++k) stretch += static_cast<double>(g[k]) * static_cast<double>(g[k]);
    squares += stretch;
  });
  return std::sqrt(squares);
}

void SlopeAlong::move(Network& network, float h) {
  std::size_t at = 0;
  each_stretch(network, [&](float* values, const float* g, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) values[k] = h == 0 ? saved_[at + k] : saved_[at + k] + h * g[k];
    at += count;
  });
}

Var SlopeAlong::operator()(Tape& tape, Network& network, FunctionRef<Var(Tape&)> e, FunctionRef<Var(Tape&)> loss) {
  take_gradient(tape, network, loss);
  saved_.clear();
  each_stretch(network, [&](const float* values, const float*, std::size_t n) {
    saved_.insert(saved_.end(), values, values + n);
  });
  const double size = length(network);
  const auto h = static_cast<float>(size > 0 ? kLength / size : 0);
  move(network, h);
  const Var up = e(tape);
  move(network, -h);
  const Var down = e(tape);
  move(network, 0);
  const Var out = tape.make(up.rows(), 1, false);
  const OwnRows own = tape.part(out);
  for (std::size_t k = own.first; k < own.last; ++k) {
    out.value().data[k] = h > 0 ? (up.value().data[k] - down.value().data[k]) / (2 * h) : 0.0f;
  }
  for (TrainedArray& p : network.arrays()) p.clear_gradient();
  return out;
}

}  // namespace equipoise
