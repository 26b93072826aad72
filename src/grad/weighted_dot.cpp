// The weighted dot product, and a number added to all of a column.
#include <algorithm>

#include "core/error.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"

namespace equipoise {

namespace {

// Rows of g·(h ⊙ x) into an input's gradient, if it needs one.
void weighted(const Matrix& g, const float* h, const Matrix& x, const Sink& into, std::size_t first, std::size_t last) {
  if (into.gradient.data == nullptr) return;
  if (into.fresh) {
    kernels().weighted_rows(g.data + first, h, x.row(first), last - first, x.cols, into.gradient.row(first));
    return;
  }
  for (std::size_t r = first; r < last; ++r) {
    const float* from = x.row(r);
    float* to = into.gradient.row(r);
    for (std::size_t k = 0; k < x.cols; ++k) to[k] += g.data[r] * h[k] * from[k];
  }
}

}  // namespace

Var weighted_dot(Var a, Var b, TrainedArray& h) {
  Tape& tape = *a.tape;
  const Matrix x = a.value(), y = b.value();
  EQUIPOISE_ASSERT(x.rows == y.rows && x.cols == y.cols && h.cols() == x.cols);
  const Var out = tape.make(x.rows, 1, tape.needs(a) || tape.needs(b) || h.moves);
  const Matrix value = out.value();
  const float* weights = h.value().data;
  for_row_chunks(tape.pool(), x.rows, [&](std::size_t first, std::size_t last) {
    kernels().dot3_rows(x.row(first), y.row(first), weights, last - first, x.cols, value.data + first);
  });
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, array = &h] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    const Sink into_a = t.needs(a) ? t.sink(a) : Sink{}, into_b = t.needs(b) ? t.sink(b) : Sink{};
    const std::size_t parts = chunks(g.rows);
    float* sums = t.arena().take_array<float>(parts * x.cols);
    // ∂/∂a = g·(h ⊙ b), ∂/∂b = g·(h ⊙ a), ∂/∂h = Σ g·(a ⊙ b)
    for_row_chunks(t.pool(), g.rows, [&](std::size_t first, std::size_t last) {
      weighted(g, weights, y, into_a, first, last);
      weighted(g, weights, x, into_b, first, last);
      if (!array->moves) return;
      kernels().dot3_columns(g.data + first, x.row(first), y.row(first), last - first, x.cols,
                             sums + first / kChunk * x.cols);
    });
    if (!array->moves || parts == 0) return;
    add_parts(sums, parts, x.cols);
    kernels().add(sums, array->gradient().data, x.cols);
    array->mark_gradient();
  });
  return out;
}

Var shift(Var x, TrainedArray& b) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  const Var out = tape.make(in.rows, in.cols, tape.needs(x) || b.moves);
  const float by = b.value().data[0];
  for (std::size_t i = 0; i < in.size(); ++i) out.value().data[i] = in.data[i] + by;
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, array = &b] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    if (array->moves) {
      const double total = sum_of_chunks(g, [&](std::size_t i) { return g.data[i]; });
      array->gradient().data[0] += static_cast<float>(total);
      array->mark_gradient();
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
