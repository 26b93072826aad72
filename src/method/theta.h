// θ: the chance that a user meets an item at all, by which positives are weighted where there are no negatives.
#pragma once

#include <string>
#include <vector>

#include "method/method.h"

namespace equipoise {

/// The parameters `theta`, `theta_power` and `theta_clip`; 1 ÷ θ of each row.
class Theta {
 public:
  void describe(Params& p);
  void read(const Dataset& data);
  /// 1 ÷ θ of a row of the log.
  float inverse(std::int64_t row) const { return inverse_[static_cast<std::size_t>(row)]; }
  /// (batch × 1): y ÷ θ of each shown pair, times the log's own weight of its row.
  Var operator()(Tape& tape, const Pairs& shown) const;
  /// Adds the smallest θ and the share of rows that were clipped.
  void add_findings(Json& findings) const;

 private:
  std::string name_ = "popularity";
  double power_ = 0.5, clip_ = 0.1;
  double lowest_ = 0, clipped_ = 0;
  std::vector<float> inverse_;  // by row
};

}  // namespace equipoise
