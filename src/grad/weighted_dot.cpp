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
  const OwnRows part = tape.part(a);
  const Var out = tape.make(x.rows, 1, tape.needs(a) || tape.needs(b) || h.moves, part);
  const Matrix value = out.value();
  const float* weights = h.value().data;
  for_chunks_of(tape.pool(), part, [&](std::size_t first, std::size_t last) {
    kernels().dot3_rows(x.row(first), y.row(first), weights, last - first, x.cols, value.data + first);
  });
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, array = &h] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    const Sink into_a = t.needs(a) ? t.sink(a) : Sink{}, into_b = t.needs(b) ? t.sink(b) : Sink{};
    const ChunkSums sums = chunk_sums(t.arena(), part, x.cols);
    // ∂/∂a = g·(h ⊙ b), ∂/∂b = g·(h ⊙ a), ∂/∂h = Σ g·(a ⊙ b)
    for_chunks_of(t.pool(), part, [&](std::size_t first, std::size_t last) {
      weighted(g, weights, y, into_a, first, last);
      weighted(g, weights, x, into_b, first, last);
      if (!array->moves) return;
      kernels().dot3_columns(g.data + first, x.row(first), y.row(first), last - first, x.cols, sums.of(first));
    });
    if (!array->moves) return;
    add_sums(t, sums, array->gradient().data, When::later);
    array->mark_gradient();
  });
  return out;
}

Var shift(Var x, TrainedArray& b) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  const OwnRows part = tape.part(x);
  const Var out = tape.make(in.rows, in.cols, tape.needs(x) || b.moves, part);
  const float by = b.value().data[0];
  for (std::size_t i = part.first * in.cols; i < part.last * in.cols; ++i) out.value().data[i] = in.data[i] + by;
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, array = &b] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    if (array->moves) {
      const double total = sum_of_chunks(t, part, g.cols, [&](std::size_t i) { return g.data[i]; });
      array->gradient().data[0] += static_cast<float>(total);
      array->mark_gradient();
    }
    if (!t.needs(x)) return;
    const Sink sink = t.sink(x);
    const std::size_t size = part.size() * g.cols;
    if (sink.fresh)
      std::copy_n(g.row(part.first), size, sink.gradient.row(part.first));
    else
      kernels().add(g.row(part.first), sink.gradient.row(part.first), size);
  });
  return out;
}

}  // namespace equipoise
