// Weights of shown rows by propensity: estimated, clipped, gathered for a batch.
#include "propensity/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/listener.h"
#include "core/named.h"
#include "core/sums.h"

namespace equipoise {

namespace {

constexpr double kFew = 0.05;  // of the rows

}  // namespace

double effective_share(std::span<const float> weights) {
  const auto weight = [&](std::size_t k) { return static_cast<double>(weights[k]); };
  const double sum = sum_by_pieces(weights.size(), weight);
  const double squares = sum_by_pieces(weights.size(), [&](std::size_t k) { return weight(k) * weight(k); });
  return squares > 0 ? sum * sum / squares / static_cast<double>(weights.size()) : 0;
}

void warn_if_few_rows_count(double effective, const std::string& whose) {
  if (effective >= kFew) return;
  warn(
      fmt::format("{} are so unequal that the log is worth only {:.2g}% of its rows (effective sample size); what is "
                  "learnt from it rests on few of them",
                  whose, 100 * effective));
}

Weights weigh(std::span<const float> propensity, double density, double clip) {
  Weights out;
  // Without a clip a p̂ of 0 would be a division by nothing; such rows get a weight near the largest float's root.
  const double floor = std::max(clip * density, density * 1e-15);
  std::size_t clipped = 0;
  out.lowest_propensity = std::numeric_limits<double>::infinity();
  const double sum = sum_by_pieces(propensity.size(), [&](std::size_t k) {
    const float p = propensity[k];
    clipped += p < static_cast<float>(floor);  // p̂ is a float: one that the rounded clip equals was not changed
    const double w = density / std::max<double>(p, floor);
    out.values.push_back(static_cast<float>(w));
    out.largest = std::max(out.largest, w);
    out.lowest_propensity = std::min<double>(out.lowest_propensity, p);
    out.highest_propensity = std::max<double>(out.highest_propensity, p);
    return w;
  });
  const auto rows = static_cast<double>(propensity.size());
  out.clipped = static_cast<double>(clipped) / rows;
  out.mean = sum / rows;
  out.effective = effective_share(out.values);
  return out;
}

PropensityWeights::PropensityWeights() {
  for (const PropensityEntry& entry : propensities()) estimators_.push_back(entry.make());
}

void PropensityWeights::describe(Params& p) {
  p("propensity", name_, "how the chance that a pair is shown is estimated", one_of(names_of(propensities())),
    searched_words({"popularity", "user-item", "naive-bayes", "logistic"}));
  // Relative, because densities differ by orders of magnitude between logs and the largest weight is what matters.
  p("propensity_clip", clip_,
    "smallest propensity allowed, as a multiple of the log's density; the largest weight is its inverse (0 = no clip)",
    between(0, 1), searched({0.05, 0.1, 0.3}));
  p("propensity_bound", bound_,
    "r: the propensity becomes max(log₂(1 + p), 2r(1 − p)), so that weights stay small (d-ips, d-dr; 0 = off)",
    between(0, 0.5), searched({0, 0.02, 0.05, 0.1}), only_if_set());
  for (const auto& estimator : estimators_) estimator->describe(p);
}

void PropensityWeights::read(const Dataset& data, std::uint64_t seed) {
  const Observed seen = observed(data);
  density_ = static_cast<float>(seen.density());
  floor_ = static_cast<float>(clip_ * seen.density());
  for (std::size_t k = 0; k < estimators_.size(); ++k) {
    if (name_ != propensities()[k].name) continue;
    std::vector<std::uint32_t> numbers;
    const Pairs shown = pairs_of(data.train, numbers);
    std::vector<float> estimate(shown.size());
    estimators_[k]->fit(seen, seed);
    estimators_[k]->estimate(shown, estimate);
    chosen_ = estimators_[k].get();
    bound(estimate);
    weights_ = weigh(estimate, seen.density(), clip_);
    warn_if_few_rows_count(weights_.effective, fmt::format("the weights of propensity = {}", name_));
  }
}

Var PropensityWeights::operator()(Tape& tape, const Pairs& shown) const {
  EQUIPOISE_ASSERT(!weights_.values.empty());
  const Var w = tape.make(shown.size(), 1, false);
  for (std::size_t k = 0; k < shown.size(); ++k) w.value().data[k] = shown.weight[k] * weights_.values[shown.row[k]];
  return w;
}

// p̂ → max(log₂(1 + p̂), 2r (1 − p̂))
void PropensityWeights::bound(std::span<float> propensity) const {
  if (!bounded()) return;
  for (float& p : propensity) {
    p = static_cast<float>(std::max(std::log2(1 + static_cast<double>(p)), 2 * bound_ * (1 - static_cast<double>(p))));
  }
}

Var PropensityWeights::propensity(Tape& tape, const Pairs& pairs) const {
  const Var out = tape.make(pairs.size(), 1, false);
  const std::span<float> p(out.value().data, pairs.size());
  chosen_->estimate(pairs, p);
  bound(p);
  const float least = std::max(floor_, 1e-15f);
  for (float& value : p) value = std::max(value, least);
  return out;
}

void PropensityWeights::require_every_pair(const std::string& who) const {
  if (chosen_->knows_every_pair()) return;
  throw UsageError(
      fmt::format("{} asks for the propensity of pairs that were not shown, and propensity = {} knows shown ones only; "
                  "choose popularity, user-item, logistic or mf",
                  who, name_));
}

void PropensityWeights::divide_by_mean() {
  const auto mean = static_cast<float>(weights_.mean);
  for (float& w : weights_.values) w /= mean;
  weights_.largest /= weights_.mean;
  weights_.mean = 1;
}

Json PropensityWeights::findings() const {
  return Json::object({{"propensity", name_},
                       {"propensity_clipped_share", weights_.clipped},
                       {"propensity_lowest", weights_.lowest_propensity},
                       {"propensity_highest", weights_.highest_propensity},
                       {"weight_mean", weights_.mean},
                       {"weight_largest", weights_.largest},
                       {"effective_sample_share", weights_.effective}});
}

}  // namespace equipoise
