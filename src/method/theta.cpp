// θ of each row: by the popularity of its item, or as the log says.
#include "method/theta.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace equipoise {

namespace {

// θ_i = (positive rows of i ÷ those of the item with most)^η
std::vector<double> by_popularity(const Rows& log, std::int32_t items, double power) {
  std::vector<double> theta(static_cast<std::size_t>(items), 0.0);
  for (std::size_t t = 0; t < log.size(); ++t) theta[static_cast<std::size_t>(log.item[t])] += log.label[t];
  const double most = std::max(1.0, *std::max_element(theta.begin(), theta.end()));
  for (double& p : theta) p = std::pow(p / most, power);
  return theta;
}

}  // namespace

void Theta::describe(Params& p) {
  p("theta", name_, "θ, the chance that a user meets an item: by the item's popularity, or the log's propensity column",
    one_of({"popularity", "given"}));
  p("theta_power", power_, "η of θ = (rows of the item ÷ those of the item with most)^η", between(0, 2),
    searched({0.25, 0.5, 1}));
  p("theta_clip", clip_, "smallest θ allowed; a positive weighs at most its inverse", above(0), at_most(1),
    searched({0.03, 0.1, 0.3}));
}

void Theta::read(const Dataset& data) {
  const Rows& log = data.train;
  const bool given = name_ == "given";
  if (given && log.propensity.empty()) {
    throw DataError("theta = given needs a propensity column in the training log, and it has none");
  }
  const std::vector<double> item = given ? std::vector<double>{} : by_popularity(log, data.items.size(), power_);
  inverse_.resize(log.size());
  double clipped = 0;
  lowest_ = 1;
  for (std::size_t t = 0; t < log.size(); ++t) {
    const double theta = given ? log.propensity[t] : item[static_cast<std::size_t>(log.item[t])];
    clipped += theta < clip_;
    lowest_ = std::min(lowest_, theta);
    inverse_[t] = static_cast<float>(1 / std::max(theta, clip_));
  }
  clipped_ = clipped / static_cast<double>(log.size());
}

Var Theta::operator()(Tape& tape, const Pairs& shown) const {
  const Var out = tape.make(shown.size(), 1, false);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    out.value().data[k] = shown.weight[k] * shown.label[k] * inverse(shown.row[k]);
  }
  return out;
}

void Theta::add_findings(Json& findings) const {
  findings["theta_lowest"] = lowest_;
  findings["theta_clipped_share"] = clipped_;
}

}  // namespace equipoise
