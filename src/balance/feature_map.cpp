// Random Fourier features of the rbf kernel, and the choice of none.
#include "balance/feature_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "balance/squared.h"
#include "core/error.h"

namespace equipoise {

FeatureMap::FeatureMap(const BalanceParams& params, const BalanceContext& context)
    : fourier_(params.distance == "rbf"),
      phi_width_(context.width),
      width_(fourier_ ? static_cast<std::size_t>(params.fourier_features) : context.width),
      seed_(context.seed) {
  if (params.distance == "wasserstein") {
    throw UsageError(fmt::format("balance = {} knows the distances linear and rbf", params.balance));
  }
}

void FeatureMap::add_arrays(Network& network) {
  if (!fourier_) return;
  frequencies_ = &network.add("frequencies", TrainedArray::Kind::dense, phi_width_, width_);
  phases_ = &network.add("phases", TrainedArray::Kind::dense, 1, width_);
}

Var FeatureMap::operator()(Var phi) const {
  if (!fourier_) return phi;
  return std::sqrt(2.0f / static_cast<float>(width_)) * cosine(linear(phi, *frequencies_, phases_));
}

void FeatureMap::draw(const Rows& log, const Project& project, Pool& pool) {
  if (!fourier_) return;
  Tape tape(pool, false);
  const std::size_t some = std::min<std::size_t>(log.size(), 256);
  const Pairs pairs{std::span(log.user).first(some), std::span(log.item).first(some), {}, {}, {}};
  const Matrix phi = project(tape, pairs).value();
  const double median = median_squared_distance(phi, {phi.data, 0, phi.cols});
  Stream stream(seed_, "random features");
  frequencies_->fill_normal(stream, median > 0 ? 1 / std::sqrt(median) : 0);
  for (float& b : phases_->values()) b = static_cast<float>(2 * std::numbers::pi * stream.uniform());
}

}  // namespace equipoise
