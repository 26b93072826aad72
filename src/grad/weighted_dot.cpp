// The weighted dot product, and a number added to all of a column.
#include <algorithm>

#include "core/error.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"

namespace equipoise {

Var weighted_dot(Var a, Var b, Parameter& h) {
  Tape& tape = *a.tape;
  const Matrix x = a.value(), y = b.value();
  EQUIPOISE_ASSERT(x.rows == y.rows && x.cols == y.cols && h.cols() == x.cols);
  const Var out = tape.make(x.rows, 1, tape.needs(a) || tape.needs(b) || h.moves);
  const Matrix value = out.value();
  const float* weights = h.value().data;
  for_row_chunks(tape.pool(), x.rows, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) value.data[r] = kernels().dot3(x.row(r), y.row(r), weights, x.cols);
  });
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, parameter = &h] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    // ∂/∂a = g·(h ⊙ b), ∂/∂b = g·(h ⊙ a), ∂/∂h = Σ g·(a ⊙ b)
    const auto into = [&](Var to, const Matrix& other) {
      if (!t.needs(to)) return;
      const Sink sink = t.sink(to);
      for_row_chunks(t.pool(), g.rows, [&](std::size_t first, std::size_t last) {
        if (sink.fresh) {
          kernels().weighted_rows(g.data + first, weights, other.row(first), last - first, other.cols,
                                  sink.gradient.row(first));
          return;
        }
        for (std::size_t r = first; r < last; ++r) {
          const float* o = other.row(r);
          float* s = sink.gradient.row(r);
          for (std::size_t k = 0; k < other.cols; ++k) s[k] += g.data[r] * weights[k] * o[k];
        }
      });
    };
    into(a, y);
    into(b, x);
    if (parameter->moves) {
      float* products = t.arena().take_array<float>(x.size());
      kernels().multiply(x.data, y.data, products, x.size());
      weight_gradient(t, g, {products, x.rows, x.cols}, parameter->gradient());
      parameter->mark_gradient();
    }
  });
  return out;
}

Var shift(Var x, Parameter& b) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  const Var out = tape.make(in.rows, in.cols, tape.needs(x) || b.moves);
  const float by = b.value().data[0];
  for (std::size_t i = 0; i < in.size(); ++i) out.value().data[i] = in.data[i] + by;
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, parameter = &b] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    double total = 0;
    for (std::size_t i = 0; i < g.size(); ++i) total += g.data[i];
    if (parameter->moves) {
      parameter->gradient().data[0] += static_cast<float>(total);
      parameter->mark_gradient();
    }
    if (!t.needs(x)) return;
    const Sink sink = t.sink(x);
    if (sink.fresh)
      std::copy_n(g.data, g.size(), sink.gradient.data);
    else
      kernels().add(g.data, sink.gradient.data, g.size());
  });
  return out;
}

}  // namespace equipoise
