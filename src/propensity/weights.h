// Weights of shown rows by propensity: w = ω ÷ p̂, clipped, with what is to be said about them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/json.h"
#include "grad/tape.h"
#include "propensity/propensity.h"

namespace equipoise {

struct Weights {
  std::vector<float> values;     // (rows) w = ω ÷ max(p̂, clip·ω)
  double clipped = 0;            // share of rows whose p̂ was below clip·ω
  double mean = 0;               // near 1 where the propensities are right
  double largest = 0;            // at most 1 ÷ clip
  double effective = 0;          // (Σw)² ÷ Σw² ÷ T: the share of rows that so unequal weights are worth
  double lowest_propensity = 0;  // of the shown rows, before clipping
  double highest_propensity = 0;
};
/// (Σw)² ÷ Σw² ÷ T; 0 where every weight is 0.
double effective_share(std::span<const float> weights);
/// Says so where fewer than one row in twenty carries all the others: `whose` begins the sentence.
void warn_if_few_rows_count(double effective, const std::string& whose);

/// `propensity` of every shown row; `clip` is a multiple of the density ω, 0 = none.
Weights weigh(std::span<const float> propensity, double density, double clip);

/// The parameters `propensity`, `propensity_clip` and those of all estimators; the weights that they lead to.
class PropensityWeights {
 public:
  PropensityWeights();
  void describe(Params& p);
  /// Fits the chosen estimator and weighs every row of the training log.
  void read(const Dataset& data, std::uint64_t seed);
  /// (batch × 1) w of each shown pair, times the log's own weight of its row.
  Var operator()(Tape& tape, const Pairs& shown) const;
  /// For a method's findings: numbers by name.
  Json findings() const;
  const Weights& weights() const { return weights_; }
  /// ω, the log's density.
  float density() const { return density_; }
  /// The smallest p̂ that is allowed.
  float floor() const { return floor_; }
  /// (pairs × 1) p̂ of any pairs as weights have it: bounded, and not below the clip.
  Var propensity(Tape& tape, const Pairs& pairs) const;
  /// UsageError, beginning with `who`, if the chosen estimator knows nothing of pairs that were not shown.
  void require_every_pair(const std::string& who) const;
  /// Whether p̂ is bounded by r (d-ips, d-dr).
  bool bounded() const { return bound_ > 0; }
  /// Divides the weights by their mean over the log.
  void divide_by_mean();

 private:
  void bound(std::span<float> propensity) const;

  std::string name_ = "popularity";
  double clip_ = 0.1, bound_ = 0;
  float density_ = 0, floor_ = 0;
  std::vector<std::unique_ptr<Propensity>> estimators_;  // in the order of the table
  const Propensity* chosen_ = nullptr;
  Weights weights_;
};

}  // namespace equipoise
