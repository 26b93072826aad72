// adversarial: D guesses the item from φ; φ hides it. γ·mean w log D^i(φ), against max over D of the same.
#include "balance/balance.h"
#include "core/error.h"
#include "model/discriminator.h"

namespace equipoise {

namespace {

class Adversarial final : public Balance {
 public:
  Adversarial(const BalanceParams& params, const BalanceContext& context, Network& network, Stream stream)
      : confusion_(params.adversary == "confusion"),
        d_(network, context.width, context.items,
           {params.discriminator_width, params.softmax_items, params.softmax_samples, context.seed}, stream),
        prior_(context.items, 0.0f) {
    if (confusion_ && d_.sampled()) {
      throw UsageError("adversary = confusion needs the whole softmax: raise softmax_items above the number of items");
    }
  }

  void read(const Dataset& data) override {
    d_.read(data.train.item);
    for (const std::int32_t item : data.train.item) {
      prior_[static_cast<std::size_t>(item)] += 1.0f / static_cast<float>(data.train.size());
    }
  }

  // minimax: mean w log D^i(φ), which φ makes small; confusion: the cross-entropy from the item prior to D
  Var term(Tape&, const Batch& b, Var phi, Var w, float gamma) override {
    return confusion_ ? d_.distance_to(prior_.data(), phi, w, gamma) : surprise(b, phi, w, -gamma);
  }

  // −mean w log D^i(φ), which D makes small
  Var adversary_loss(const Batch& b, Var phi, Var w) override { return surprise(b, phi, w, 1.0f); }
  std::string network() const override { return "D"; }

 private:
  Var surprise(const Batch& b, Var phi, Var w, float factor) {
    return d_.surprise(phi, b.shown.item, w, factor, static_cast<std::uint64_t>(b.epoch), b.number);
  }

  bool confusion_;
  Discriminator d_;
  std::vector<float> prior_;
};

}  // namespace

std::unique_ptr<Balance> make_adversarial(const BalanceParams& params, BalanceContext context, Networks& networks) {
  return std::make_unique<Adversarial>(params, context, networks.add("D"), Stream(context.seed, "start of D"));
}

}  // namespace equipoise
