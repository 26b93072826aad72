// shrinkage: a control of all-pairs, which makes φ shorter and balances nothing.
#include "balance/all_pairs.h"
#include "balance/balance.h"

namespace equipoise {

namespace {

// Where items are shown without regard to the user, all-pairs is on average c·σ²(φ), c = its value by chance. γ·c·‖φ‖²
// therefore shrinks φ as much as γ·J does there, whatever the items.
class Shrinkage final : public Balance {
 public:
  explicit Shrinkage(std::size_t items) : items_(items) {}

  void read(const Dataset& data) override {
    std::vector<float> nothing(data.train.size(), 0.0f);
    AllPairs counts(items_, 1);
    counts.add({nothing.data(), nothing.size(), 1}, data.train.item);
    chance_ = static_cast<float>(counts.chance());
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
