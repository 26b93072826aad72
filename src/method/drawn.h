// What methods with drawn pairs share: how many there are, and columns made for them.
#pragma once

#include <algorithm>

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

/// A column of one value: (rows × 1).
inline Var constant_column(Tape& tape, std::size_t rows, float value) {
  const Var out = tape.make(rows, 1, false);
  std::fill_n(out.value().data, rows, value);
  return out;
}

/// 1 − x.
inline Var complement(Var x) { return -1.0f * x + 1.0f; }

}  // namespace equipoise
