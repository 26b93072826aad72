// cvib: counterfactual information bottleneck. Fit on shown pairs, shown and drawn means held together, confidence.
#include "method/drawn.h"
#include "method/one_model.h"

namespace equipoise {

namespace {

class Cvib final : public OneModel {
 public:
  void describe(Params& p) override {
    p("alpha", alpha_, "weight of the term that pulls the mean predictions of shown and drawn pairs together",
      at_least(0), searched({0.01, 0.1, 1}));
    p("gamma", gamma_, "weight of the confidence penalty on shown pairs", at_least(0), searched({0.001, 0.01, 0.1}));
    p("variant", variant_,
      "paper: the equation; published: as in released code, whose term pulls every shown pair towards 1 instead",
      one_of({"paper", "published"}));
    drawn_.describe(p);
  }
  Needs needs() const override { return {.drawn = drawn_.per_row}; }

 private:
  // L = mean w δ(y, f) + α H(p̄_shown, p̄_drawn) + γ mean p log p,   p = σ(f) on shown pairs
  // published: α mean(−log p) on shown pairs in the place of H
  Var fit(Tape& tape, const Batch& b) const override {
    const Var y = column(tape, b.shown.label), w = column(tape, b.shown.weight), f = f_->logit(tape, b.shown);
    const Var p = sigmoid(f), minus_log_p = bce(filled(tape, b.shown.size(), 1), f);
    const Var loss = mean(w * bce(y, f)) + -gamma_ * mean(p * minus_log_p);
    // Released code computes −p_drawn log p − (1 − p_drawn) log p: the drawn prediction cancels, −log p is left.
    if (variant_ == "published") return loss + alpha_ * mean(minus_log_p);
    return loss + alpha_ * cross_entropy(mean(p), mean(sigmoid(f_->logit(tape, b.drawn))));
  }

  // H(a, b) = −a log b − (1 − a) log(1 − b); the small number keeps a mean that has run to 0 or 1 finite
  static Var cross_entropy(Var a, Var b) {
    constexpr float kTiny = 1e-7f;
    return -1.0f * (a * log(b + kTiny) + complement(a) * log(complement(b) + kTiny));
  }

  float alpha_ = 0.1f;
  float gamma_ = 0.01f;
  std::string variant_ = "paper";
  DrawnPairs drawn_;
};

}  // namespace

std::unique_ptr<Method> make_cvib() { return std::make_unique<Cvib>(); }

}  // namespace equipoise
