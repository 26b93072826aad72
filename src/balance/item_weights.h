// Item weights, which let rare items count: w_i = (T ÷ (N·T_i))^ρ, capped.
#pragma once

#include <vector>

#include "core/params.h"
#include "data/batch.h"
#include "grad/tape.h"

namespace equipoise {

/// The parameters `item_weight_power` and `item_weight_cap`, and the weights that they lead to.
class ItemWeights {
 public:
  void describe(Params& p);
  /// Counts each item's rows T_i; T is the rows of the log and N the items that occur in it.
  void read(const Rows& log, std::size_t items);
  /// w of an item.
  float of(std::int32_t item) const { return weight_[static_cast<std::size_t>(item)]; }
  /// (batch × 1) w of each shown pair's item, times the log's own weight of its row.
  Var operator()(Tape& tape, const Pairs& shown) const;

 private:
  float power_ = 0.0f, cap_ = 100.0f;
  std::vector<float> weight_;  // by item; 1 where it does not occur
};

}  // namespace equipoise
