// Softmax over many outputs with its cross-entropy, layer included, in chunks of rows that stay near.
#include <algorithm>

#include "core/error.h"
#include "grad/gemm.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"

namespace equipoise {

namespace {

constexpr std::size_t kWideChunk = 64;  // rows: with the weights of a thousand outputs they fit into a core's cache

// g becomes the gradient of the logits: row by row gr·(softmax − target).
void logit_gradient(const Matrix& p, const Matrix& gr, std::span<const std::int32_t> classes, const float* prior,
                    std::size_t first, std::size_t last) {
  for (std::size_t r = first; r < last; ++r) {
    float* row = p.row(r);
    if (prior == nullptr)
      row[classes[r]] -= 1.0f;
    else
      for (std::size_t k = 0; k < p.cols; ++k) row[k] -= prior[k];
    kernels().scale(gr.data[r], row, p.cols);
  }
}

void softmax_back(Var x, Var out, const Matrix& p, Parameter& w, Parameter& b, std::span<const std::int32_t> classes,
                  const float* prior) {
  Tape& tape = *out.tape;
  const Matrix in = x.value(), gr = tape.gradient(out);
  const bool into_x = tape.needs(x);
  const Sink sink = into_x ? tape.sink(x) : Sink{};
  const ColumnSums sums(tape, b.moves ? p.rows : 0, p.cols);
  for_row_chunks(tape.pool(), in.rows, [&](std::size_t first, std::size_t last) {
    logit_gradient(p, gr, classes, prior, first, last);
    if (b.moves) sums.take(p, first, last);
    if (into_x) {
      gemm(false, true, last - first, in.cols, p.cols, p.row(first), p.cols, w.value().data, w.cols(),
           sink.fresh ? 0.0f : 1.0f, sink.gradient.row(first), in.cols);
    }
  });
  if (w.moves) {
    weight_gradient(tape, in, p, w.gradient());
    w.mark_gradient();
  }
  if (b.moves) {
    sums.add_to(b.gradient().data);
    b.mark_gradient();
  }
}

}  // namespace

Var softmax_loss(Var x, Parameter& w, Parameter& b, std::span<const std::int32_t> classes, const float* prior) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  EQUIPOISE_ASSERT(in.cols == w.rows() && b.cols() == w.cols() && (classes.size() == in.rows || prior != nullptr));
  const Var out = tape.make(in.rows, 1, tape.needs(x) || w.moves || b.moves);
  const Matrix p{tape.arena().take_array<float>(in.rows * w.cols()), in.rows, w.cols()};
  float* loss = out.value().data;
  const float* bias = b.value().data;
  const auto forward = [&](std::size_t first, std::size_t last) {
    gemm(false, false, last - first, p.cols, in.cols, in.row(first), in.cols, w.value().data, w.cols(), 0.0f,
         p.row(first), p.cols);
    for (std::size_t r = first; r < last; ++r) {
      const float* row = p.row(r);
      double score = 0;  // the target's mean logit
      if (prior == nullptr)
        score = row[classes[r]] + bias[classes[r]];
      else
        for (std::size_t k = 0; k < p.cols; ++k) score += static_cast<double>(prior[k]) * (row[k] + bias[k]);
      loss[r] = static_cast<float>(kernels().softmax(p.row(r), bias, p.cols) - score);
    }
  };
  for_row_chunks(tape.pool(), in.rows, forward, kWideChunk);
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, weights = &w, biases = &b] { softmax_back(x, out, p, *weights, *biases, classes, prior); });
  return out;
}

}  // namespace equipoise
