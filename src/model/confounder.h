// c, which infers the hidden confounder of a pair, and p_s, the chance that the pair was shown given it.
#pragma once

#include "model/tower.h"

namespace equipoise {

/// z = c(i, u) = V1·ReLU(V2·ReLU(V3·[u; i])).
class Confounder {
 public:
  Confounder(Network& network, std::size_t user, std::size_t item, std::size_t out, Stream& stream)
      : tower_(network, "c", user + item, {64, 32}, out, Activation::relu, stream) {}
  Var operator()(Var user, Var item) const { return tower_({user, item}); }
  const Tower& tower() const { return tower_; }

 private:
  Tower tower_;
};

/// The logit of p_s(i | u, z) = σ(Q1·ReLU(Q2·ReLU(Q3·[u; i; z]))).
class ExposureNetwork {
 public:
  ExposureNetwork(Network& network, std::size_t user, std::size_t item, std::size_t z, Stream& stream)
      : tower_(network, "s", user + item + z, {64, 32}, 1, Activation::relu, stream) {}
  Var operator()(Var user, Var item, Var z) const { return tower_({user, item, z}); }

 private:
  Tower tower_;
};

}  // namespace equipoise
