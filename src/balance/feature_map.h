// ψ, what a squared distance of means compares: φ itself, or random features of it.
#pragma once

#include "balance/balance.h"

namespace equipoise {

/// ψ = φ (distance = linear), or √(2/R)·cos(φ·Ω + b), whose products are the rbf kernel's on average over Ω and b.
class FeatureMap {
 public:
  /// Adds "frequencies" and "phases" for rbf. UsageError, beginning with the strategy's name, for other distances.
  FeatureMap(const BalanceParams& params, const BalanceContext& context);
  void add_arrays(Network& network);

  std::size_t width() const { return width_; }
  Var operator()(Var phi) const;
  /// Fits the frequencies to φ as it is now: Ω ~ N(0, 1/h), b ~ U(0, 2π), for the kernel exp(−‖x − y‖² ÷ 2h) with h the
  /// median squared distance of some rows.
  void draw(const Rows& log, const Project& project, Pool& pool);

 private:
  bool fourier_;
  std::size_t phi_width_, width_;
  std::uint64_t seed_;
  TrainedArray* frequencies_ = nullptr;
  TrainedArray* phases_ = nullptr;
};

}  // namespace equipoise
