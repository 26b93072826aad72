// Item weights: counted once, gathered for a batch.
#include "balance/item_weights.h"

#include <algorithm>
#include <cmath>

namespace equipoise {

void ItemWeights::describe(Params& p) {
  p("item_weight_power", power_, "ρ of the item weights (T ÷ (N·T_i))^ρ: 1 lets every item count the same, 0 every row",
    between(0, 1), searched({0, 0.5, 1}));
  p("item_weight_cap", cap_, "the largest item weight", above(0));
}

// At ρ = 1 the weights average to 1 over the log.
void ItemWeights::read(const Rows& log, std::size_t items) {
  std::vector<double> rows(items, 0.0);
  for (const std::int32_t item : log.item) rows[static_cast<std::size_t>(item)] += 1;
  const auto present = static_cast<double>(std::count_if(rows.begin(), rows.end(), [](double n) { return n > 0; }));
  weight_.assign(items, 1.0f);
  for (std::size_t i = 0; i < items; ++i) {
    if (rows[i] == 0) continue;
    const double w = std::pow(static_cast<double>(log.size()) / (present * rows[i]), power_);
    weight_[i] = static_cast<float>(std::min(w, static_cast<double>(cap_)));
  }
}

Var ItemWeights::operator()(Tape& tape, const Pairs& shown) const {
  float* w = tape.arena().take_array<float>(shown.size());
  for (std::size_t k = 0; k < shown.size(); ++k) {
    w[k] = shown.weight[k] * weight_[static_cast<std::size_t>(shown.item[k])];
  }
  return tape.constant(w, shown.size(), 1);
}

}  // namespace equipoise
