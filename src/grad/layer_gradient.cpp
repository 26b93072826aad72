// Gradients of a layer's weights and biases.
#include "grad/layer_gradient.h"

#include <algorithm>
#include <bit>

#include "grad/gemm.h"
#include "grad/kernels.h"

namespace equipoise {

namespace {

constexpr std::size_t kPartCols = 128;  // columns a piece of a wide weight gradient holds

// Some columns of Xᵀ·G, of the chunks one by one and added as `add_parts` does, with one buffer for each level of the
// tree.
struct WideProduct {
  const Matrix& x;
  const float* g;  // the first row's first column
  std::size_t stride, cols;

  std::size_t size() const { return x.cols * cols; }
  void chunk(std::size_t number, float* out) const {
    const std::size_t first = number * kChunk, rows = std::min(kChunk, x.rows - first);
    gemm(true, false, x.cols, cols, rows, x.row(first), x.cols, g + first * stride, stride, 0.0f, out, cols);
  }
  void chunks(std::size_t first, std::size_t count, float* out) const {
    if (count == 1) return chunk(first, out);
    const std::size_t half = std::bit_ceil(count) / 2;
    chunks(first, half, out);
    chunks(first + half, count - half, out + size());
    kernels().add(out + size(), out, size());
  }
};

}  // namespace

void add_parts(float* parts, std::size_t count, std::size_t n) {
  for (std::size_t step = 1; step < count; step *= 2) {
    for (std::size_t p = 0; p + step < count; p += 2 * step) {
      kernels().add(parts + (p + step) * n, parts + p * n, n);
    }
  }
}

void add_sums(Tape& tape, const ChunkSums& sums, float* into, When when) {
  if (sums.part.whole || when == When::now)
    tape.sharing().add(tape.arena(), sums, into);
  else
    tape.sharing().add_later(sums, into);
}

namespace {

// Wide layers are cut by columns too, for sums of all chunks would be far away from a core.
void wide_gradient(Tape& tape, const Matrix& x, const Matrix& g, std::size_t stride, const Matrix& dw) {
  const std::size_t count = chunks(x.rows), levels = static_cast<std::size_t>(std::bit_width(count - 1)) + 1;
  const Scratch scratch = tape.scratch(levels * x.cols * kPartCols);
  tape.pool().run(chunks(g.cols, kPartCols), [&](std::size_t c) {
    const std::size_t first = c * kPartCols, cols = std::min(kPartCols, g.cols - first);
    WideProduct{x, g.data + first, stride, cols}.chunks(0, count, scratch.mine());
    kernels().add_rows(scratch.mine(), cols, dw.data + first, dw.cols, x.cols, cols);
  });
}

// The same products, chunk by chunk.
void wide_sums(Tape& tape, const Matrix& x, const Matrix& g, std::size_t stride, const ChunkSums& sums) {
  const Scratch scratch = tape.scratch(x.cols * kPartCols);
  tape.pool().run(chunks(g.cols, kPartCols), [&](std::size_t c) {
    const std::size_t column = c * kPartCols, cols = std::min(kPartCols, g.cols - column);
    const WideProduct product{x, g.data + column, stride, cols};
    for (std::size_t first = sums.part.first; first < sums.part.last; first += kChunk) {
      product.chunk(first / kChunk, scratch.mine());
      kernels().copy_rows(scratch.mine(), cols, sums.of(first) + column, g.cols, x.cols, cols);
    }
  });
}

}  // namespace

void weight_gradient(Tape& tape, const OwnRows& part, const Matrix& x, const Matrix& g, std::size_t stride,
                     const Matrix& dw, When when) {
  if (part.all == 0) return;
  if (cut_by_columns(g.cols)) {
    if (part.whole) return wide_gradient(tape, x, g, stride, dw);
    const ChunkSums sums = chunk_sums(tape.arena(), part, x.cols * g.cols);
    wide_sums(tape, x, g, stride, sums);
    return add_sums(tape, sums, dw.data, when);
  }
  const WeightSums sums(tape, part, x.cols, g.cols);
  for_chunks_of(tape.pool(), part, [&](std::size_t first, std::size_t last) {
    sums.take(x.row(first), g.data + first * stride, first, last, stride);
  });
  sums.add_to(tape, dw, when);
}

WeightSums::WeightSums(Tape& tape, const OwnRows& part, std::size_t in, std::size_t out)
    : sums_(chunk_sums(tape.arena(), part, in * out)), in_(in), out_(out) {}

void WeightSums::take(const float* x, const float* g, std::size_t first, std::size_t last, std::size_t stride) const {
  gemm(true, false, in_, out_, last - first, x, in_, g, stride, 0.0f, sums_.of(first), out_);
}

ColumnSums::ColumnSums(Tape& tape, const OwnRows& part, std::size_t cols)
    : sums_(chunk_sums(tape.arena(), part, cols)) {}

float* ColumnSums::begin(std::size_t first) const {
  float* sums = sums_.of(first);
  std::fill_n(sums, sums_.size, 0.0f);
  return sums;
}

void ColumnSums::take(const float* g, std::size_t first, std::size_t rows) const {
  kernels().add_rows(g, sums_.size, begin(first), 0, rows, sums_.size);
}

}  // namespace equipoise
