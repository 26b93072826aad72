// Softmax over many outputs with its cross-entropy: layer, loss and gradient, chunk after chunk of rows that stay near.
#include <algorithm>

#include "core/error.h"
#include "grad/gemm.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"

namespace equipoise {

namespace {

constexpr std::size_t kNear = 64;  // rows: with the weights of a thousand outputs they fit into a core's cache
constexpr std::size_t kLine = 64 / sizeof(float);

// Rows begin with a cache line, but not all with lines that share a place in the cache.
std::size_t stride_of(std::size_t n) {
  const std::size_t stride = (n + kLine - 1) / kLine * kLine;
  return stride != n && stride % 1024 == 0 ? stride + kLine : stride;
}

// The target's mean logit.
double score_of(const SoftmaxTarget& target, std::size_t r, const float* logits, const float* bias, std::size_t n) {
  if (target.prior == nullptr) return logits[target.classes[r]] + bias[target.classes[r]];
  double score = 0;
  for (std::size_t k = 0; k < n; ++k) score += static_cast<double>(target.prior[k]) * (logits[k] + bias[k]);
  return score;
}

// e, which times `share` is the softmax, becomes the gradient of the logits, g·(softmax − target), added to the sums.
void logit_gradient(const SoftmaxTarget& target, std::size_t r, float share, float g, float* e, float* sums,
                    std::size_t n) {
  if (target.prior != nullptr) {
    for (std::size_t k = 0; k < n; ++k) e[k] = (e[k] * share - target.prior[k]) * g;
    if (sums != nullptr) kernels().add(e, sums, n);
    return;
  }
  const auto own = static_cast<std::size_t>(target.classes[r]);
  const float gradient = (e[own] * share - 1.0f) * g, sum = sums == nullptr ? 0.0f : sums[own];
  kernels().scale_twice(share, g, e, sums, n);
  e[own] = gradient;
  if (sums != nullptr) sums[own] = sum + gradient;
}

// What forwards leaves for backwards: the gradients at a gradient of 1 for the loss.
struct SoftmaxGradients {
  Matrix x;                // (batch × in), if x needs one
  Matrix logits;           // (batch × out), if the weights move …
  std::size_t stride = 0;  // … its rows are so far apart
  ColumnSums bias;         // if the bias moves
};

void softmax_back(Var x, Var out, TrainedArray& w, TrainedArray& b, const SoftmaxGradients& d) {
  Tape& tape = *out.tape;
  const Kernels& k = kernels();
  const float g = tape.gradient(out).data[0];
  if (g != 1.0f) {
    const OwnRows part = tape.part(x);
    if (d.x.data != nullptr) k.scale(g, d.x.row(part.first), part.size() * d.x.cols);
    if (d.logits.data != nullptr) k.scale(g, d.logits.data + part.first * d.stride, part.size() * d.stride);
    k.scale(g, d.bias.all().sums, d.bias.all().count() * d.bias.all().size);
  }
  if (tape.needs(x)) tape.give(x, d.x);
  if (d.logits.data != nullptr) {
    weight_gradient(tape, tape.part(x), x.value(), d.logits, d.stride, w.gradient(), When::later);
    w.mark_gradient();
  }
  if (d.bias.all().part.all > 0) {
    d.bias.add_to(tape, b.gradient().data, When::later);
    b.mark_gradient();
  }
}

}  // namespace

// A row's logits are used up while they are near: loss, their gradient, and with it x's. Only where the weights move
// are all rows' kept.
Var softmax_loss(Var x, TrainedArray& w, TrainedArray& b, const SoftmaxTarget& target, Var weight, float factor) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  const std::size_t n = w.cols(), stride = stride_of(n);
  EQUIPOISE_ASSERT(in.cols == w.rows() && b.cols() == n && weight.rows() == in.rows && !tape.needs(weight));
  EQUIPOISE_ASSERT(target.prior != nullptr || target.classes.size() == in.rows);
  const Var out = tape.make(1, 1, tape.needs(x) || w.moves || b.moves);
  const bool back = tape.needs(out), into_x = tape.needs(x), keep = back && w.moves;
  float* kept = keep ? tape.arena().take_array<float>(in.rows * stride) : nullptr;
  const Scratch scratch = tape.scratch(keep ? 0 : kChunk * stride);
  float* loss = tape.arena().take_array<float>(in.rows);
  const float* each = weight.value().data;
  const OwnRows part = tape.part(x);
  const SoftmaxGradients d{
      {into_x ? tape.arena().take_array<float>(in.size()) : nullptr, into_x ? in.rows : 0, in.cols},
      {kept, keep ? in.rows : 0, n},
      stride,
      ColumnSums(tape, back && b.moves ? part : OwnRows{}, n)};
  const double share_of_row = 1.0 / static_cast<double>(in.rows);
  const float g = static_cast<float>(factor * share_of_row);
  for_chunks_of(tape.pool(), part, [&](std::size_t first, std::size_t last) {
    float* logits = keep ? kept + first * stride : scratch.mine();
    float* sums = back && b.moves ? d.bias.begin(first) : nullptr;
    for (std::size_t r = first; r < last; ++r) {
      float* row = logits + (r - first) * stride;
      if ((r - first) % kNear == 0) {
        gemm(false, false, std::min(kNear, last - r), n, in.cols, in.row(r), in.cols, w.value().data, n, 0.0f, row,
             stride);
      }
      const double score = score_of(target, r, row, b.value().data, n);
      const Exponentials e = kernels().exponentials(row, b.value().data, n);
      loss[r] = static_cast<float>(e.log_sum - score);
      if (back) logit_gradient(target, r, e.share, g * each[r], row, sums, n);
    }
    if (!into_x) return;
    gemm(false, true, last - first, in.cols, n, logits, stride, w.value().data, n, 0.0f, d.x.row(first), in.cols);
  });
  const double total = sum_of_chunks(tape, part, 1, [&](std::size_t r) { return each[r] * loss[r]; });
  out.value().data[0] = factor * static_cast<float>(total * share_of_row);
  if (back) tape.on_backward(out, [=, weights = &w, biases = &b] { softmax_back(x, out, *weights, *biases, d); });
  return out;
}

}  // namespace equipoise
