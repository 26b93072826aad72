// dr: doubly robust. f goes down drawn[a] + shown[w (e − b)], by default a = b = ê; g learns to impute the errors ê.
#include <algorithm>
#include <cmath>

#include "method/dr_weights.h"
#include "method/drawn.h"
#include "method/one_model.h"

namespace equipoise {

namespace {

class Dr final : public Weighted<PredictsByModel> {
 public:
  void describe(Params& p) override {
    Weighted::describe(p);
    drawn_.describe(p);
    p("variant", variant_,
      "joint: the equation; mrdr, dr-bias, dr-mse: g weighted for less variance, less bias, both; tdr and super-dr: ê "
      "corrected by ε; stable-dr: self-normalised, with propensities tied to ê; published: what most released code "
      "computes and super-dr-paper what its paper prints, neither of them doubly robust",
      one_of({"joint", "mrdr", "dr-bias", "dr-mse", "tdr", "super-dr", "super-dr-paper", "stable-dr", "published"}),
      only_if_set());
    p("mse_bias", mse_bias_, "of variant = dr-mse: the share of dr-bias in g's weights, the rest being mrdr's",
      between(0, 1), searched({0.25, 0.5, 0.75}), only_if_set());
    p("tie", tie_, "η of variant = stable-dr: how strongly propensities are tied to the imputed errors", at_least(0),
      searched({0.1, 1, 10}), only_if_set());
  }
  Needs needs() const override { return {.drawn = drawn_.per_row}; }

  void build(const Workshop& workshop, Networks& networks) override {
    Weighted::build(workshop, networks);
    g_ = workshop.rating_model(networks, "g");
    if (variant_ == "stable-dr") h_ = workshop.rating_model(networks, "h");
    if (!learns_epsilon()) return;
    Network& network = networks.add("epsilon");
    network.lambda = 0.0f;
    epsilon_ = &network.add("epsilon", TrainedArray::Kind::dense, 1, 1);
  }
  void read(const Dataset& data) override {
    Weighted::read(data);
    if (variant_ == "tdr" || variant_ == "stable-dr" || learns_epsilon())
      w_.require_every_pair("variant = " + variant_);
    g_weights_ = imputation_weights(variant_, w_.weights().values, w_.density(), mse_bias_);
  }

  std::vector<Phase> phases(int) override {
    const auto phase = [this](const char* name, std::vector<std::string> networks, auto loss) {
      return Phase{name, std::move(networks),
                   [this, loss](Tape& tape, const Batch& b) { return (this->*loss)(tape, b); }};
    };
    if (variant_ == "stable-dr") {
      return {phase("tie", {"h"}, &Dr::tie), phase("impute", {"g"}, &Dr::impute_stable),
              phase("fit", {"f"}, &Dr::fit_stable)};
    }
    if (variant_ == "tdr") return {phase("impute", {"g"}, &Dr::impute), phase("fit", {"f"}, &Dr::fit_targeted)};
    if (variant_ == "published") return {phase("impute", {"g"}, &Dr::impute), phase("fit", {"f"}, &Dr::fit_published)};
    if (learns_epsilon()) {
      return {phase("impute", {"g", "epsilon"}, &Dr::impute_super), phase("fit", {"f"}, &Dr::fit_super)};
    }
    return {phase("impute", {"g"}, &Dr::impute), phase("fit", {"f"}, &Dr::fit)};
  }

 private:
  bool learns_epsilon() const { return variant_ == "super-dr" || variant_ == "super-dr-paper"; }

  // ê = δ(σ(g), f), the error that g says f makes; e = δ(y, f) is the one it does make
  Var imputed(Tape& tape, const Pairs& pairs) const {
    return bce(sigmoid(g_->logit(tape, pairs)), f_->logit(tape, pairs));
  }

  // L_f = mean over drawn pairs of ê + mean over shown pairs of w (e − ê)
  Var fit(Tape& tape, const Batch& b) const {
    const Var w = w_(tape, b.shown);
    return mean(imputed(tape, b.drawn)) + mean(w * (error(tape, b.shown) - imputed(tape, b.shown)));
  }

  // L_g = mean over shown pairs of v (e − ê)²; v = w, or the variant's own weights, of mean 1 over the log
  Var impute(Tape& tape, const Batch& b) const {
    const Var v = g_weights_.empty() ? w_(tape, b.shown) : g_weights(tape, b.shown);
    return mean(v * square(error(tape, b.shown) - imputed(tape, b.shown)));
  }
  Var g_weights(Tape& tape, const Pairs& shown) const {
    const Var v = tape.make(shown.size(), 1, false);
    for (std::size_t k = 0; k < shown.size(); ++k) v.value().data[k] = shown.weight[k] * g_weights_[shown.row[k]];
    return v;
  }

  // published: L_f = drawn[ê] + shown[w e − ω ê], that is ips and the imputed errors of pairs that were not shown
  Var fit_published(Tape& tape, const Batch& b) const {
    const Var w = w_(tape, b.shown), v = column(tape, b.shown.weight);
    const Var correction = w * error(tape, b.shown) - w_.density() * (v * imputed(tape, b.shown));
    return mean(imputed(tape, b.drawn)) + mean(correction);
  }

  // tdr: L_f = drawn[ẽ] + shown[w (e − ẽ)], ẽ = ê + ε k, k = 1/p̂ − 1, ε = Σ_shown k (e − ê) ÷ Σ_shown k²;
  // the gradient flows through ε: held constant, f's gradient would be that of dr
  Var fit_targeted(Tape& tape, const Batch& b) const {
    const Var w = w_(tape, b.shown), v = column(tape, b.shown.weight);
    const Var k = odds(tape, b.shown), off = error(tape, b.shown) - imputed(tape, b.shown);
    const Var epsilon = sum(v * k * off) / (sum(v * square(k)) + kTiny);
    return mean(imputed(tape, b.drawn) + epsilon * odds(tape, b.drawn)) + mean(w * (off - epsilon * k));
  }
  // k = 1/p̂ − 1
  Var odds(Tape& tape, const Pairs& pairs) const { return reciprocal(w_.propensity(tape, pairs)) + -1.0f; }

  // super-dr: L_f = drawn[ẽ] + shown[w (e − ẽ)], ẽ = ê + ε (1 − p̂)
  // super-dr-paper: ẽ = ê + ε (o − p̂), so that drawn[ẽ] = drawn[ê − ε p̂] + ω ε
  Var fit_super(Tape& tape, const Batch& b) const {
    const Var w = w_(tape, b.shown), off = super_error(tape, b.shown), e_hat = imputed(tape, b.drawn);
    const Var p = w_.propensity(tape, b.drawn),
              drawn = variant_ == "super-dr" ? complement(p) : -1.0f * p + w_.density();
    return mean(e_hat + epsilon(tape) * drawn) + mean(w * off);
  }
  // L_g = mean over shown pairs of v (e − ẽ)², v = 1/p̂ divided by its mean; it moves ε, too
  Var impute_super(Tape& tape, const Batch& b) const {
    return mean(g_weights(tape, b.shown) * square(super_error(tape, b.shown)));
  }
  // e − ẽ of shown pairs
  Var super_error(Tape& tape, const Pairs& shown) const {
    const Var e_tilde = imputed(tape, shown) + epsilon(tape) * complement(w_.propensity(tape, shown));
    return error(tape, shown) - e_tilde;
  }
  Var epsilon(Tape& tape) const { return shift(filled(tape, 1, 0.0f), *epsilon_); }

  // stable-dr: p̂' = σ(logit p̂ + h)
  Var exposure(Tape& tape, const Pairs& pairs) const {
    const Var p = w_.propensity(tape, pairs), out = tape.make(pairs.size(), 1, false);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const double chance = std::clamp<double>(p.value().data[k], 1e-6, 1 - 1e-6);
      out.value().data[k] = static_cast<float>(std::log(chance / (1 - chance)));
    }
    return out + h_->logit(tape, pairs);
  }
  // w' = ω ÷ p̂'
  Var weights_of(Var x) const { return w_.density() * reciprocal(floored(sigmoid(x), std::max(w_.floor(), kTiny))); }

  // L_h = δ(o, p̂') over all pairs + η (shown[w' (ê − drawn[ê])])²
  Var tie(Tape& tape, const Batch& b) const {
    const Var x = exposure(tape, b.shown), off = imputed(tape, b.shown) - mean(imputed(tape, b.drawn));
    return exposure_error(x, exposure(tape, b.drawn), w_.density()) + tie_ * square(mean(weights_of(x) * off));
  }
  // L_g = Σ w' (e − ê)² ÷ Σ w'
  Var impute_stable(Tape& tape, const Batch& b) const {
    const Var w = stable_weights(tape, b.shown);
    return sum(w * square(error(tape, b.shown) - imputed(tape, b.shown))) / (sum(w) + kTiny);
  }
  // L_f = Σ w' e ÷ Σ w'
  Var fit_stable(Tape& tape, const Batch& b) const {
    const Var w = stable_weights(tape, b.shown);
    return sum(w * error(tape, b.shown)) / (sum(w) + kTiny);
  }
  Var stable_weights(Tape& tape, const Pairs& shown) const {
    return column(tape, shown.weight) * stop(weights_of(exposure(tape, shown)));
  }

  static constexpr float kTiny = 1e-6f;
  std::string variant_ = "joint";
  float mse_bias_ = 0.5f, tie_ = 1;
  DrawnPairs drawn_;
  std::vector<float> g_weights_;  // by row; none where g's weights are w
  std::unique_ptr<RatingModel> g_, h_;
  TrainedArray* epsilon_ = nullptr;
};

}  // namespace

std::unique_ptr<Method> make_dr() { return std::make_unique<Dr>(); }

}  // namespace equipoise
