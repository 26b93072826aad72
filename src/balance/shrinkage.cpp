// shrinkage: a control of all-pairs, which makes φ shorter and balances nothing.
#include <algorithm>

#include "balance/balance.h"

namespace equipoise {

namespace {

// Where items are shown without regard to the user, all-pairs is on average c·σ²(φ), c = ((N − 2)·N/T + Σ 1/T_i) ÷
// (N − 1). γ·c·‖φ‖² therefore shrinks φ as much as γ·J does there, whatever the items.
class Shrinkage final : public Balance {
 public:
  explicit Shrinkage(std::size_t items) : items_(items) {}

  void read(const Dataset& data) override {
    std::vector<double> rows(items_, 0.0);
    for (const std::int32_t item : data.train.item) rows[static_cast<std::size_t>(item)] += 1;
    double present = 0, inverse = 0;
    for (const double n : rows) present += n > 0, inverse += n > 0 ? 1 / n : 0;
    const double crowd = (present - 2) * present / static_cast<double>(data.train.size());
    chance_ = static_cast<float>((crowd + inverse) / std::max(1.0, present - 1));
  }

  Var term(Tape&, const Batch& b, Var phi, Var, float gamma) override {
    return (gamma * chance_ / static_cast<float>(b.shown.size())) * sum(phi * phi);
  }

 private:
  std::size_t items_;
  float chance_ = 0;
};

}  // namespace

std::unique_ptr<Balance> make_shrinkage(const BalanceParams&, BalanceContext context, Networks&) {
  return std::make_unique<Shrinkage>(context.items);
}

}  // namespace equipoise
