// all-pairs: every pair of items at once, exactly, in the mini-batches of training.
#include "balance/all_pairs.h"
#include "balance/balance.h"
#include "balance/feature_map.h"
#include "balance/over_log.h"

namespace equipoise {

namespace {

// The item means are those of φ over the whole log. They are computed by a pass, several times an epoch, and what a
// row's ψ must do to them, G_i = ∂J/∂ψ_t, is kept. A batch then follows T·mean G_i·ψ_t, whose gradient is, on average
// over batches, that of J at the last pass.
class AllPairsStrategy final : public Balance {
 public:
  AllPairsStrategy(const BalanceParams& params, BalanceContext context, Networks& networks)
      : params_(params), context_(std::move(context)), psi_(params, context_) {
    Network& network = networks.add("balance");
    gradient_ = {{&network.add("gradient", TrainedArray::Kind::table, context_.items, psi_.width())}};
    psi_.add_arrays(network);
  }

  void read(const Dataset& data) override { log_ = &data.train; }
  void begin_epoch(const Dataset&, int, Pool& pool) override { refresh(pool); }

  Var term(Tape& tape, const Batch& b, Var phi, Var, float gamma) override {
    if (due(b, params_.refreshes)) refresh(tape.pool());
    const auto rows = static_cast<float>(b.shown.size()), total = static_cast<float>(log_->size());
    return gamma * ((total / rows) * sum(lookup(tape, b.shown.item, gradient_) * psi_(phi)));
  }

 private:
  void refresh(Pool& pool) {
    psi_.draw(*log_, context_.project, pool);
    AllPairs all(context_.items, psi_.width());
    over_log(*log_, pool,
             [&](Tape& tape, const Pairs& pairs) { all.add(psi_(context_.project(tape, pairs)).value(), pairs.item); });
    all.gradient(gradient_.front().table->value());
  }

  BalanceParams params_;
  BalanceContext context_;
  FeatureMap psi_;
  const Rows* log_ = nullptr;
  std::vector<Lookup> gradient_;  // G: (items × width), one source
};

}  // namespace

std::unique_ptr<Balance> make_all_pairs(const BalanceParams& params, BalanceContext context, Networks& networks) {
  return std::make_unique<AllPairsStrategy>(params, std::move(context), networks);
}

}  // namespace equipoise
