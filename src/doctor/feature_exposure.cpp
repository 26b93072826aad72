// The exposure model of features: a factorisation whose user side is a linear map of the features.
#include "doctor/feature_exposure.h"

#include "model/representation.h"
#include "propensity/exposure_fit.h"

namespace equipoise {

namespace {

constexpr int kFactors = 8;

class FeatureExposure final : public Propensity {
 public:
  void fit(const Observed& seen, std::uint64_t seed) override {
    network_ = std::make_unique<Network>("exposure by features");
    users_ = {seen.users, seen.user_features, std::vector<std::int32_t>(static_cast<std::size_t>(seen.users), 1)};
    items_ = {seen.items, {}, std::vector<std::int32_t>(static_cast<std::size_t>(seen.items), 1)};
    Stream stream(seed, "exposure by features");
    user_ = std::make_unique<Representation>(*network_, "user", users_,
                                             RepresentationParams{kFactors, false, true, 0.1f}, stream);
    item_ = std::make_unique<Representation>(*network_, "item", items_,
                                             RepresentationParams{kFactors, true, true, 0.1f}, stream);
    item_bias_ = {{&network_->add("item bias", TrainedArray::Kind::table, static_cast<std::size_t>(seen.items), 1)}};
    bias_ = &network_->add("bias", TrainedArray::Kind::dense, 1, 1);
    h_ = &network_->add("h", TrainedArray::Kind::dense, 1, kFactors);
    std::fill(h_->values().begin(), h_->values().end(), 1.0f);
    offset_ = fit_exposure(seen, *network_, logit(), {}, seed);
  }

  void estimate(const Pairs& pairs, std::span<float> out) const override {
    estimate_exposure(logit(), offset_, pairs, out);
  }

 private:
  ExposureLogit logit() const {
    return [this](Tape& tape, const Pairs& pairs) {
      const Var factors = weighted_dot((*user_)(tape, pairs.user), (*item_)(tape, pairs.item), *h_);
      return shift(factors + lookup(tape, pairs.item, item_bias_), *bias_);
    };
  }

  std::unique_ptr<Network> network_;
  Entities users_, items_;
  std::unique_ptr<Representation> user_, item_;
  std::vector<Lookup> item_bias_;
  TrainedArray* bias_ = nullptr;
  TrainedArray* h_ = nullptr;
  double offset_ = 0;
};

}  // namespace

std::unique_ptr<Propensity> feature_exposure() { return std::make_unique<FeatureExposure>(); }

}  // namespace equipoise
