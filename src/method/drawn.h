// What methods with drawn pairs share: how many there are, and their arithmetic.
#pragma once

#include "method/method.h"

namespace equipoise {

/// The parameter `drawn_per_row`.
struct DrawnPairs {
  int per_row = 1;

  void describe(Params& p) {
    p("drawn_per_row", per_row, "pairs drawn uniformly from all users and items for each shown row", at_least(1),
      searched({1, 4}));
  }
};

/// 1 − x.
inline Var complement(Var x) { return -1.0f * x + 1.0f; }

}  // namespace equipoise
