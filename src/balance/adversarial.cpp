// adversarial: D guesses the item from φ; φ hides it. γ·mean w log D^i(φ), against max over D of the same.
#include "balance/balance.h"
#include "model/discriminator.h"

namespace equipoise {

namespace {

class Adversarial final : public Balance {
 public:
  Adversarial(const BalanceParams& params, const BalanceSetting& setting, Network& network, Stream stream)
      : confusion_(params.adversary == "confusion"),
        d_(network, setting.width, params.discriminator_width, setting.items, stream),
        prior_(setting.items, 0.0f) {}

  void read(const Dataset& data) override {
    for (const std::int32_t item : data.train.item) {
      prior_[static_cast<std::size_t>(item)] += 1.0f / static_cast<float>(data.train.size());
    }
  }

  // minimax: mean w log D^i(φ), which φ makes small; confusion: the cross-entropy from the item prior to D
  Var term(Tape&, const Batch& b, Var phi, Var w) override {
    return confusion_ ? mean(w * d_.distance_to(prior_.data(), phi)) : -1.0f * mean(w * d_.surprise(phi, b.shown.item));
  }

  // −mean w log D^i(φ), which D makes small
  Var adversary_loss(Tape&, const Batch& b, Var phi, Var w) override {
    return mean(w * d_.surprise(phi, b.shown.item));
  }
  std::string network() const override { return "D"; }

 private:
  bool confusion_;
  Discriminator d_;
  std::vector<float> prior_;
};

}  // namespace

std::unique_ptr<Balance> make_adversarial(const BalanceParams& params, BalanceSetting setting, Networks& networks) {
  return std::make_unique<Adversarial>(params, setting, networks.add("D"), Stream(setting.seed, "start of D"));
}

}  // namespace equipoise
