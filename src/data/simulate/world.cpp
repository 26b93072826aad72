// The equations of the simulated world.
#include "data/simulate/world.h"

#include <cmath>
#include <numbers>
#include <string>

#include "core/random.h"
#include "data/simulate/zipf.h"

namespace equipoise {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// κ1(x) = x − ½ where x > 0, κ2(x) = max(x, 0), κ3(x) = x + ½ where x < 0; all are 0 elsewhere.
double kappa1(double x) { return x > 0 ? x - 0.5 : 0; }
double kappa2(double x) { return x > 0 ? x : 0; }
double kappa3(double x) { return x < 0 ? x + 0.5 : 0; }

/// E κ1(κ2(v)) for v ~ N(0, 1): ∫₀^∞ (v − ½) n(v) dv = 1/√(2π) − ¼ = 0.149; E κ3(−κ2(−v)) is the same below 0.
const double kMeanKappa = std::numbers::inv_sqrtpi / std::numbers::sqrt2 - 0.25;
/// E κ1(κ2(v))² = ∫₀^∞ (v − ½)² n(v) dv = ½ − 1/√(2π) + ⅛
const double kMeanSquare = 0.625 - std::numbers::inv_sqrtpi / std::numbers::sqrt2;

/// Σ κ1(κ2(v)) over `width` features, with mean 0 and variance 1.
double standardised(double positive, int width) {
  return (positive - width * kMeanKappa) / std::sqrt(width * (kMeanSquare - kMeanKappa * kMeanKappa));
}

void draw_features(SimulatedFeatures& out, int width, Stream stream) {
  out.values.resize(static_cast<std::size_t>(width));
  out.positive = out.negative = 0;
  for (float& v : out.values) {
    v = static_cast<float>(stream.normal());  // rounded first: the features as written give the labels exactly
    out.positive += kappa1(kappa2(v));
    out.negative += kappa3(-kappa2(-v));
  }
}

}  // namespace

SimulatedWorld::SimulatedWorld(const SimulateParams& params)
    : params_(params),
      centre_(2 * params.width * kMeanKappa),
      items_(static_cast<std::size_t>(params.items)),
      odds_(items_.size()) {
  for (std::size_t j = 0; j < items_.size(); ++j) items_[j] = draw("item", j);
}

SimulatedOne SimulatedWorld::draw(const char* whose, std::uint64_t number) const {
  SimulatedOne out;
  draw_features(out.own, params_.width, Stream(params_.seed, std::string(whose) + " features", number));
  if (params_.instrument > 0) {
    draw_features(out.instrument, params_.width, Stream(params_.seed, std::string(whose) + " instruments", number));
  }
  return out;
}

void SimulatedWorld::meet(int user) {
  const auto u = static_cast<std::uint64_t>(user);
  number_ = user;
  user_ = draw("user", u);
  z_ = Stream(params_.seed, "latent", u).normal();
}

void SimulatedWorld::move_to(int user) {
  meet(user);
  Stream noise(params_.seed, "exposure noise", static_cast<std::uint64_t>(user));
  for (std::size_t j = 0; j < odds_.size(); ++j) {
    odds_[j] = is_zipf(params_) ? pair_odds(static_cast<int>(j)) * popularity(params_, j) : odds(j, noise.normal());
  }
}

double SimulatedWorld::odds(std::size_t j, double noise) const {
  const double sum = user_.positive(params_.instrument) + items_[j].positive(params_.instrument);
  double score = (1 - params_.alpha) * (1 - params_.beta) * sum + params_.alpha + params_.beta * z_;
  if (params_.strength > 0) score -= params_.strength * match(j);
  return sigmoid(-(score + params_.noise * noise));  // 1 − σ(x) = σ(−x)
}

// The printed score is a sum of a user's part and an item's, so that all users have nearly the same odds. m_ij is a
// product of the two: users meet items like themselves. Mean 0 and variance 1, whatever ι.
double SimulatedWorld::match(std::size_t j) const {
  const auto product = [&](const SimulatedFeatures& user, const SimulatedFeatures& item) {
    return standardised(user.positive, params_.width) * standardised(item.positive, params_.width);
  };
  const double iota = params_.instrument;
  double out = std::sqrt(1 - iota) * product(user_.own, items_[j].own);
  if (iota > 0) out += std::sqrt(iota) * product(user_.instrument, items_[j].instrument);
  return out;
}

double SimulatedWorld::pair_odds(int j) const {
  Stream noise(params_.seed, "exposure noise of a pair", static_cast<std::uint64_t>(number_),
               static_cast<std::uint64_t>(j));
  return odds(static_cast<std::size_t>(j), noise.normal());
}

double SimulatedWorld::preference(int j) const {
  const SimulatedFeatures &p = user_.own, &q = item(j).own;
  // As printed κ3(κ2(·)) is 0 everywhere, b = 0, and x1 is so far above 0 that z alone decides. Centred, both
  // features and z do.
  const double x1 = p.positive + q.positive - (params_.literal ? 0 : centre_);
  const double x2 = params_.literal ? 0 : p.negative + q.negative + centre_;
  return sigmoid(x1 + x1 * x2) + params_.beta * z_ - 0.5;
}

}  // namespace equipoise
