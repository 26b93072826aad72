// split: φ = [φ_A; φ_C]. Only φ_A is made alike for all items, rows are weighted by φ_C, and the two are kept apart.
#include "balance/balance.h"
#include "balance/beside_weights.h"
#include "core/error.h"
#include "grad/columns.h"

namespace equipoise {

namespace {

// φ_A is the first half of φ's numbers; f sees both.
class SplitStrategy final : public BesideWeights {
 public:
  SplitStrategy(const BalanceParams& params, const BalanceContext& context, Networks& networks)
      : BesideWeights(params, first_half(context), "above-chance", second_half(context), networks),
        half_(context.width / 2),
        penalty_(params.split_penalty) {}

  // γ·balance(φ_A) + penalty·‖cov(φ_A, φ_C)‖²
  Var term(Tape& tape, const Batch& b, Var phi, Var w, float gamma) override {
    const Var a = alike(phi), c = columns(phi, half_, phi.cols() - half_);
    const Var apart = penalty_ * sum(square(covariance(tape, a, c)));
    return beside() == nullptr ? apart : beside()->term(tape, b, a, w, gamma) + apart;
  }
  Var adversary_loss(const Batch& b, Var phi, Var w) override { return beside()->adversary_loss(b, alike(phi), w); }

 private:
  static BalanceContext first_half(BalanceContext context) {
    context.project = [project = context.project, half = context.width / 2](Tape& tape, const Pairs& pairs) {
      return columns(project(tape, pairs), 0, half);
    };
    context.width /= 2;
    return context;
  }
  static Project second_half(const BalanceContext& context) {
    return [project = context.project, half = context.width / 2](Tape& tape, const Pairs& pairs) {
      const Var phi = project(tape, pairs);
      return columns(phi, half, phi.cols() - half);
    };
  }
  Var alike(Var phi) const { return columns(phi, 0, half_); }

  // mean a cᵀ − mean a · mean cᵀ over the batch
  static Var covariance(Tape& tape, Var a, Var c) {
    const Var one = filled(tape, a.rows(), 1.0f);
    return cross_moments(a, c) - cross_moments(cross_moments(one, a), cross_moments(one, c));
  }

  std::size_t half_;
  float penalty_;
};

}  // namespace

std::unique_ptr<Balance> make_split(const BalanceParams& params, BalanceContext context, Networks& networks) {
  if (context.width < 2) throw UsageError("balance = split cuts φ into two parts: embedding must be 2 at least");
  return std::make_unique<SplitStrategy>(params, context, networks);
}

}  // namespace equipoise
