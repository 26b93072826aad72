// Arithmetic on drawn pairs.
#include "method/drawn.h"

namespace equipoise {

Var not_shown(Tape& tape, const Pairs& pairs, const PairIndex& log, const Withheld& withheld) {
  const Var out = tape.make(pairs.size(), 1, false);
  float* unseen = out.value().data;
  for_chunks_of(tape.pool(), tape.part(out), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const std::int32_t user = pairs.user[k], item = pairs.item[k];
      unseen[k] = log.find(user, item) < 0 && !withheld.has(user, item) ? 1.0f : 0.0f;
    }
  });
  return out;
}

Var order_error(Var own, Var others) {
  const Var ahead = repeat(own, others.rows() / own.rows()) - others;
  return bce(filled(*own.tape, ahead.rows(), 1.0f), ahead);
}

}  // namespace equipoise
