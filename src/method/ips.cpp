// ips: inverse propensity scoring. L = mean over the log of w δ(y, f), w = ω ÷ p̂, or the loss for positives with w.
#include "method/one_model.h"

namespace equipoise {

namespace {

class Ips final : public Weighted<FittedToLog> {
 public:
  // d-ips: bounded propensities are larger than the chances, so weights are divided by their mean.
  void read(const Dataset& data) override {
    Weighted::read(data);
    if (w_.bounded()) w_.divide_by_mean();
  }

 private:
  // L = mean w δ(y, f)
  Var fit(Tape& tape, const Batch& b) const override { return fit_weighted(tape, b, w_(tape, b.shown)); }
};

}  // namespace

std::unique_ptr<Method> make_ips() { return std::make_unique<Ips>(); }

}  // namespace equipoise
