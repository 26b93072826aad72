// How far a propensity estimator can be trusted on a log: calibration, overlap, what its weights leave of the sample.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json.h"
#include "doctor/held_out.h"

namespace equipoise {

/// Of chances e against what came true (1 for `shown`, 0 for `unshown`, each of which represents `weight` pairs).
struct Calibration {
  double slope = 1;  // b of logit P(shown) = a + b·logit e: below 1 = too extreme, above 1 = too timid
  double error = 0;  // Σ over ten bins of |shown − expected| ÷ all shown: 0 = right in every bin
};
/// Nothing where e does not vary.
std::optional<Calibration> calibrate(std::span<const double> shown, std::span<const double> unshown, double weight);

/// Mean log-likelihood per shown pair of chances e over that of one chance for all, in nats; below 0 = worse than that.
double information_of(std::span<const double> shown, std::span<const double> unshown, double weight);

struct PropensityQuality {
  std::string name;
  std::string missing;  // why there is nothing to say; otherwise empty
  std::optional<Calibration> calibration;
  std::optional<double> information;  // log-likelihood of held-out pairs over a constant p̂, nats per shown row
  std::optional<double> small_share;  // of unshown pairs: p̂ below a tenth of the density
  double lowest = 0, highest = 0;     // of shown rows, as multiples of the density
  double largest_weight = 0;          // without a clip; infinite where a shown row has p̂ = 0
  double effective = 0;               // share of the rows that the weights leave, without a clip
  double effective_clipped = 0;       // with the default clip of a tenth of the density
  double suggested_clip = 0;          // rule of thumb: the smallest of a few that leaves half of the sample
  double effective_suggested = 0;
};

/// From answers to held-out pairs.
PropensityQuality held_out_quality(const std::string& name, const std::vector<Answers>& answers,
                                   const std::vector<Fold>& folds, const Dataset& data);
/// For estimators that know shown rows only: fitted to the whole log, no calibration. DataError becomes `missing`.
PropensityQuality log_quality(const PropensityEntry& entry, const Dataset& data, std::uint64_t seed);
Json to_json(const std::vector<PropensityQuality>& finding);

}  // namespace equipoise
