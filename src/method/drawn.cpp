// Arithmetic on drawn pairs.
#include "method/drawn.h"

namespace equipoise {

Var not_shown(Tape& tape, const Pairs& pairs, const PairIndex& log) {
  const Var out = tape.make(pairs.size(), 1, false);
  float* unseen = out.value().data;
  for_row_chunks(tape.pool(), pairs.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      unseen[k] = log.find(pairs.user[k], pairs.item[k]) < 0 ? 1.0f : 0.0f;
    }
  });
  return out;
}

Var order_error(Var own, Var others) {
  const Var ahead = repeat(own, others.rows() / own.rows()) - others;
  return bce(filled(*own.tape, ahead.rows(), 1.0f), ahead);
}

}  // namespace equipoise
