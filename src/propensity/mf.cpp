// mf: one-bit matrix factorisation of exposure. p̂_ui = σ(b + b_u + b_i + Σ_k h_k a_uk q_ik), shown against unshown.
#include "core/random.h"
#include "propensity/exposure_fit.h"

namespace equipoise {

namespace {

class OneBitMf final : public FittedExposure {
 public:
  void describe(Params& p) override {
    p("mf_width", width_, "width of the mf propensity's factors", between(1, 256), searched({4, 8, 16}));
    p("mf_lambda", schedule_.factor_lambda, "weight of the squares of the mf propensity's factors", at_least(0),
      searched({1e-4, 3e-4, 6e-4}));
    p("mf_epochs", schedule_.epochs, "epochs of the mf propensity's fit", at_least(1));
  }

 private:
  void build(const Observed& seen, std::uint64_t seed, Network& network) override {
    const auto add = [&](const char* name, std::int32_t rows, int cols, std::uint64_t part) {
      TrainedArray& table =
          network.add(name, TrainedArray::Kind::table, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
      Stream stream(seed, "mf propensity", part);
      if (part > 0) table.fill_normal(stream, 0.1);
      return std::vector<Lookup>{{&table}};
    };
    user_ = add("user", seen.users + seen.more_users, width_, 1);
    item_ = add("item", seen.items + seen.more_items, width_, 2);
    user_bias_ = add("user bias", seen.users + seen.more_users, 1, 0);
    item_bias_ = add("item bias", seen.items + seen.more_items, 1, 0);
    bias_ = &network.add("bias", TrainedArray::Kind::dense, 1, 1);
    h_ = &network.add("h", TrainedArray::Kind::dense, 1, static_cast<std::size_t>(width_));
    std::fill(h_->values().begin(), h_->values().end(), 1.0f);
  }

  Var logit(Tape& tape, const Pairs& pairs) const override {
    const Var factors = weighted_dot(lookup(tape, pairs.user, user_), lookup(tape, pairs.item, item_), *h_);
    return shift(factors + lookup(tape, pairs.user, user_bias_) + lookup(tape, pairs.item, item_bias_), *bias_);
  }

  int width_ = 8;
  std::vector<Lookup> user_, item_, user_bias_, item_bias_;
  TrainedArray* bias_ = nullptr;
  TrainedArray* h_ = nullptr;
};

}  // namespace

std::unique_ptr<Propensity> mf_propensity() { return std::make_unique<OneBitMf>(); }

}  // namespace equipoise
