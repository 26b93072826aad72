// Items drawn against rows: looked up in the log.
#include "method/drawn_items.h"

namespace equipoise {

// Files of older models have no such parameters, and stay as they are.
void DrawnItems::describe_uniform(Params& p) {
  p("negatives", per_row_, "items drawn against each row, for the row's user", between(1, 10000), only_if_set());
}

void DrawnItems::describe(Params& p) {
  describe_uniform(p);
  p("negative_power", power_,
    "η of the law of drawn items, ∝ (rows of the item)^η: 0 = all alike, 1 = as often as shown", between(0, 2),
    only_if_set());
}

void DrawnItems::read(const Dataset& data) {
  log_ = PairIndex(data.train, data.users.size());
  label_ = data.train.label;
  laws_ = ItemLaws(data.train, data.known_items(), power_, data.withheld);
}

Var DrawnItems::count(Tape& tape, const Pairs& pairs) const {
  const Var out = tape.make(pairs.size(), 1, false);
  float* counts = out.value().data;
  for_chunks_of(tape.pool(), tape.part(out), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      counts[k] = positive_row(pairs.user[k], pairs.item[k]) < 0 ? 1.0f : 0.0f;
    }
  });
  return out;
}

std::int64_t DrawnItems::positive_row(std::int32_t user, std::int32_t item) const {
  const std::int64_t row = log_.find(user, item);
  return row >= 0 && label_[static_cast<std::size_t>(row)] > 0.5f ? row : -1;
}

}  // namespace equipoise
