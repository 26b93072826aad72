// snips: self-normalised inverse propensity scoring. L = Σ w δ(y, f) ÷ Σ w over the batch, w = ω ÷ p̂.
#include "method/one_model.h"

namespace equipoise {

namespace {

class Snips final : public Weighted<FittedToLog> {
  // L = Σ w δ(y, f) ÷ Σ w; against drawn items the weights of a batch are divided by their mean
  Var fit(Tape& tape, const Batch& b) const override {
    const Var w = w_(tape, b.shown);
    if (!loss_.of_labels()) return fit_weighted(tape, b, normalised(w));
    const Var weighted = sum(w * error(tape, b.shown)), total = sum(w);
    return total.number() == 0 ? weighted : weighted / total;  // where every weight is 0, so is the loss
  }

  static Var normalised(Var w) {
    const float total = mean(w).number();
    return total == 0 ? w : 1 / total * w;
  }
};

}  // namespace

std::unique_ptr<Method> make_snips() { return std::make_unique<Snips>(); }

}  // namespace equipoise
