// snips: self-normalised inverse propensity scoring. L = Σ w δ(y, f) ÷ Σ w over the batch, w = ω ÷ p̂.
#include "method/one_model.h"

namespace equipoise {

namespace {

class Snips final : public Weighted<OneModel> {
  // L = Σ w δ(y, f) ÷ Σ w
  Var fit(Tape& tape, const Batch& b) const override {
    const Var w = w_(tape, b.shown), weighted = sum(w * error(tape, b.shown)), total = sum(w);
    return total.number() == 0 ? weighted : weighted / total;  // where every weight is 0, so is the loss
  }
};

}  // namespace

std::unique_ptr<Method> make_snips() { return std::make_unique<Snips>(); }

}  // namespace equipoise
