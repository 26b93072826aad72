// weights: rows are weighted so that users and items are independent in their first moments; φ forgets nothing.
#include "balance/balance.h"
#include "balance/beside_weights.h"
#include "balance/row_weights.h"

namespace equipoise {

namespace {

class WeightsStrategy final : public BesideWeights {
 public:
  WeightsStrategy(const BalanceParams& params, const BalanceContext& context, Networks& networks)
      : BesideWeights(params, context, "none", context.project, networks) {}

  // γ times what is balanced beside the weights, where that is anything
  Var term(Tape& tape, const Batch& b, Var phi, Var w, float gamma) override {
    return beside() == nullptr ? filled(tape, 1, 0.0f) : beside()->term(tape, b, phi, w, gamma);
  }
  Var adversary_loss(const Batch& b, Var phi, Var w) override { return beside()->adversary_loss(b, phi, w); }
};

}  // namespace

std::unique_ptr<Balance> make_weights(const BalanceParams& params, BalanceContext context, Networks& networks) {
  return std::make_unique<WeightsStrategy>(params, context, networks);
}

}  // namespace equipoise
