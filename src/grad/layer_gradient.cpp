// Gradients of a layer's weights and biases.
#include "grad/layer_gradient.h"

#include <algorithm>

#include "grad/gemm.h"
#include "grad/kernels.h"

namespace equipoise {

namespace {

constexpr std::size_t kPartRows = 256;  // rows a piece of a small weight gradient sums over
constexpr std::size_t kPartCols = 64;   // columns a piece of a wide weight gradient holds
constexpr std::size_t kWide = 512;      // outputs from which a layer counts as wide

}  // namespace

// Wide layers are cut by columns, others by rows into parts that are then summed in order: the cut depends
// on the shapes alone.
void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, std::size_t stride, const Matrix& dw) {
  if (g.cols >= kWide) {
    tape.pool().run(chunks(g.cols, kPartCols), [&](std::size_t c) {
      const std::size_t first = c * kPartCols, width = std::min(kPartCols, g.cols - first);
      gemm(true, false, x.cols, width, x.rows, x.data, x.cols, g.data + first, stride, 1.0f, dw.data + first, dw.cols);
    });
    return;
  }
  const std::size_t parts = chunks(x.rows, kPartRows);
  float* sums = tape.arena().take_array<float>(parts * dw.size());
  tape.pool().run(parts, [&](std::size_t p) {
    const std::size_t first = p * kPartRows, rows = std::min(kPartRows, x.rows - first);
    gemm(true, false, x.cols, g.cols, rows, x.row(first), x.cols, g.data + first * stride, stride, 0.0f,
         sums + p * dw.size(), dw.cols);
  });
  for (std::size_t p = 0; p < parts; ++p) kernels().add(sums + p * dw.size(), dw.data, dw.size());
}

ColumnSums::ColumnSums(Tape& tape, std::size_t rows, std::size_t cols)
    : sums_{tape.arena().take_array<float>(chunks(rows) * cols), chunks(rows), cols} {}

float* ColumnSums::begin(std::size_t first) const {
  float* sums = sums_.row(first / kChunk);
  std::fill_n(sums, sums_.cols, 0.0f);
  return sums;
}

void ColumnSums::take(const Matrix& g, std::size_t first, std::size_t last) const {
  float* sums = begin(first);
  for (std::size_t r = first; r < last; ++r) kernels().add(g.row(r), sums, g.cols);
}

void ColumnSums::add_to(float* db) const {
  for (std::size_t c = 0; c < sums_.rows; ++c) kernels().add(sums_.row(c), db, sums_.cols);
}

}  // namespace equipoise
