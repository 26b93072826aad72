// Fits a logit of exposure on the tape: shown pairs against pairs drawn from those not shown.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "grad/ops.h"
#include "propensity/pair_index.h"
#include "propensity/propensity.h"

namespace equipoise {

/// A logit (batch × 1) for pairs.
using ExposureLogit = std::function<Var(Tape&, const Pairs&)>;

/// How long and how fast it is fitted, on which pairs.
struct FitSchedule {
  int epochs = 30;
  float rate = 0.02f;           // of lazy Adam; falls to 0 in a straight line
  float lambda = 1e-5f;         // on arrays of single numbers: biases, weights
  float factor_lambda = 3e-4f;  // on tables of factors, which could memorise every shown pair
  std::size_t batch = 512;      // shown pairs
  std::size_t unshown = 4;      // drawn for each shown pair
};

/// Moves the network down L = mean over batch of δ(1, x_shown) + k · mean of δ(0, x_drawn), k unshown pairs a row.
/// Returns c, for which p̂ = σ(x + c): of kT rows drawn from UN − T unshown pairs, each represents (UN − T) ÷ kT.
double fit_exposure(const Observed& seen, Network& network, const ExposureLogit& logit, const FitSchedule& schedule,
                    std::uint64_t seed);

/// out[k] = σ(x + c) for any number of pairs.
void estimate_exposure(const ExposureLogit& logit, double offset, const Pairs& pairs, std::span<float> out);

/// An estimator whose logit is fitted so: each adds its networks and its equation.
class FittedExposure : public Propensity {
 public:
  void fit(const Observed& seen, std::uint64_t seed) final;
  void estimate(const Pairs& pairs, std::span<float> out) const final;

 protected:
  /// Adds its arrays to the network, at their start.
  virtual void build(const Observed& seen, std::uint64_t seed, Network& network) = 0;
  virtual Var logit(Tape& tape, const Pairs& pairs) const = 0;

  FitSchedule schedule_;

 private:
  ExposureLogit function() const;

  std::unique_ptr<Network> network_;
  double offset_ = 0;
};

}  // namespace equipoise
