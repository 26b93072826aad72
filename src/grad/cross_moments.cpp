// Products of two batches' columns, averaged over the rows: aᵀb ÷ n, by one matrix product each way for each chunk.
#include <algorithm>

#include "core/error.h"
#include "grad/gemm.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"

namespace equipoise {

namespace {

// gradient (n × k) += other (n × m) · g' (m × k) ÷ n, where g' is g or its transpose.
void pass_back_moments(Var input, const Matrix& other, const Matrix& g, bool transposed) {
  Tape& tape = *input.tape;
  if (!tape.needs(input)) return;
  const Sink sink = tape.sink(input);
  float* scaled = tape.arena().take_array<float>(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) scaled[i] = g.data[i] / static_cast<float>(other.rows);
  for_chunks_of(tape.pool(), tape.part(input), [&](std::size_t first, std::size_t last) {
    gemm(false, transposed, last - first, sink.gradient.cols, other.cols, other.row(first), other.cols, scaled, g.cols,
         sink.fresh ? 0.0f : 1.0f, sink.gradient.row(first), sink.gradient.cols);
  });
}

}  // namespace

Var cross_moments(Var a, Var b) {
  Tape& tape = *a.tape;
  const Matrix x = a.value(), y = b.value();
  EQUIPOISE_ASSERT(x.rows == y.rows);
  const Var out = tape.make(x.cols, y.cols, tape.needs(a) || tape.needs(b), all_rows(x.cols));
  const Matrix to = out.value();
  std::fill_n(to.data, to.size(), 0.0f);
  weight_gradient(tape, tape.part(a), x, y, y.cols, to, When::now);
  for (std::size_t i = 0; i < to.size(); ++i) to.data[i] /= static_cast<float>(x.rows);
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      const Matrix g = out.tape->gradient(out);  // (a's width × b's width)
      pass_back_moments(a, y, g, true);
      pass_back_moments(b, x, g, false);
    });
  }
  return out;
}

}  // namespace equipoise
