// What methods with drawn pairs share: how many there are, and their arithmetic.
#pragma once

#include "method/method.h"
#include "propensity/pair_index.h"

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

/// (pairs × 1): 1 for pairs that the log does not show, 0 for those it does or withholds.
Var not_shown(Tape& tape, const Pairs& pairs, const PairIndex& log, const Withheld& withheld);

/// Σ m x ÷ Σ m over the pairs that count, m ≥ 0; 0 where none does.
inline Var mean_of(Var m, Var x) { return sum(m * x) / (sum(m) + 1e-6f); }

/// The mean over all pairs of δ(o, x), o = 1 where a pair was shown, from the logits x of shown and of drawn pairs.
/// Uniform pairs hardly ever meet o = 1, so drawn[F(o)] = drawn[F(0)] + ω shown[F(1) − F(0)], and δ(1, x) − δ(0, x) =
/// −x.
inline Var exposure_error(Var shown, Var drawn, float density) {
  return mean(bce(filled(*drawn.tape, drawn.rows(), 0.0f), drawn)) + -density * mean(shown);
}

/// −log σ(f_i − f_j), for each row's own f_i and the f_j drawn against it.
Var order_error(Var own, Var others);

}  // namespace equipoise
