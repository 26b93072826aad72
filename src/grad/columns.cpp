// Columns cut out of a value, and their gradient put back.
#include "grad/columns.h"

#include <algorithm>

#include "core/error.h"

namespace equipoise {

Var columns(Var x, std::size_t first, std::size_t count) {
  Tape& tape = *x.tape;
  const Matrix from = x.value();
  EQUIPOISE_ASSERT(first + count <= from.cols);
  const Var out = tape.make(from.rows, count, tape.needs(x));
  for (std::size_t r = 0; r < from.rows; ++r) std::copy_n(from.row(r) + first, count, out.value().row(r));
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=] {
    const Matrix g = out.tape->gradient(out);
    const Sink sink = out.tape->sink(x);
    if (sink.fresh) std::fill_n(sink.gradient.data, sink.gradient.size(), 0.0f);
    for (std::size_t r = 0; r < g.rows; ++r) {
      float* to = sink.gradient.row(r) + first;
      for (std::size_t k = 0; k < count; ++k) to[k] += g.row(r)[k];
    }
  });
  return out;
}

}  // namespace equipoise
