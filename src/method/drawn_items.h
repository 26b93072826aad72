// Items drawn against a shown row, for the row's user: how many, by which law, and which of them count.
#pragma once

#include "method/drawn.h"

namespace equipoise {

/// The parameters `negatives` and `negative_power`, and the pairs that they lead to.
class DrawnItems {
 public:
  void describe(Params& p);
  /// Without a choice of the law: all items alike.
  void describe_uniform(Params& p);
  AgainstDraws draws() const { return {per_row_, power_}; }
  void read(const Dataset& data);

  /// (pairs × 1): 0 where the log has the pair with label 1, and 1 otherwise. A positive is not drawn against another.
  Var count(Tape& tape, const Pairs& pairs) const;
  /// The number of the row that has the pair with label 1, or −1.
  std::int64_t positive_row(std::int32_t user, std::int32_t item) const;
  /// The law by which items are drawn against that user's rows.
  const ItemLaw& law(std::int32_t user) const { return laws_.of(user); }

 private:
  int per_row_ = 4;
  double power_ = 0;
  PairIndex log_;
  std::vector<float> label_;  // by row
  ItemLaws laws_;
};

}  // namespace equipoise
