// What the baselines of means share: shrunk means of users and items, and a score that is their sum.
#pragma once

#include "method/methods.h"

namespace equipoise {

/// p may leave [0, 1], and cutting it off would make ties: the logit is the tangent 4 (p − ½) at p = ½ instead.
inline constexpr double kMeanSlope = 4;

/// p = ȳ + a_u + (the item's score), a_u = Σ (y − ȳ) ÷ (n_u + k). No fitting.
class ByMeans : public Method {
 public:
  explicit ByMeans(const char* item_array) : item_array_(item_array) {}
  Needs needs() const override { return {.base = false}; }
  void describe(Params& p) override;
  void build(const Workshop& workshop, Networks& networks) override;
  std::vector<Phase> phases(int) override { return {}; }
  Var predict(Tape& tape, const Pairs& pairs) const override;

 protected:
  /// Fills ȳ and a_u; the items' means b_i, likewise, go to `item_means`.
  void read_means(const Rows& log, Floats& item_means);
  Floats& item_scores() { return item_.front().table->values(); }

 private:
  const char* item_array_;
  double shrinkage_ = 5;
  std::vector<Lookup> user_, item_;
  TrainedArray* overall_ = nullptr;
};

}  // namespace equipoise
