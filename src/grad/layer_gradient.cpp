// Gradients of a layer's weights and biases.
#include "grad/layer_gradient.h"

#include <algorithm>

#include "grad/gemm.h"
#include "grad/kernels.h"

namespace equipoise {

namespace {

// Columns a piece of a wide weight gradient holds. One that is not full goes by halves, as all pieces once did: whether
// a product is the library's depends on its width, and its last bits on whose it is.
constexpr std::size_t kPartCols = 128;

}  // namespace

// Wide layers are cut by columns, others by rows into parts that are then summed in order: the cut depends
// on the shapes alone.
void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, std::size_t stride, const Matrix& dw) {
  if (cut_by_columns(g.cols)) {
    tape.pool().run(chunks(g.cols, kPartCols), [&](std::size_t c) {
      const std::size_t begin = c * kPartCols, end = std::min(begin + kPartCols, g.cols);
      const std::size_t most = end - begin == kPartCols ? kPartCols : kPartCols / 2;
      for (std::size_t first = begin; first < end; first += most) {
        const std::size_t width = std::min(most, end - first);
        gemm(true, false, x.cols, width, x.rows, x.data, x.cols, g.data + first, stride, 1.0f, dw.data + first,
             dw.cols);
      }
    });
    return;
  }
  const WeightSums sums(tape, x.rows, x.cols, g.cols);
  for_row_chunks(
      tape.pool(), x.rows,
      [&](std::size_t first, std::size_t last) {
        sums.take(x.row(first), g.data + first * stride, first, last, stride);
      },
      kPartRows);
  sums.add_to(dw);
}

WeightSums::WeightSums(Tape& tape, std::size_t rows, std::size_t in, std::size_t out)
    : sums_(tape.arena().take_array<float>(chunks(rows, kPartRows) * in * out)),
      parts_(chunks(rows, kPartRows)),
      in_(in),
      out_(out) {}

void WeightSums::take(const float* x, const float* g, std::size_t first, std::size_t last, std::size_t stride) const {
  gemm(true, false, in_, out_, last - first, x, in_, g, stride, 0.0f, sums_ + first / kPartRows * in_ * out_, out_);
}

void WeightSums::add_to(const Matrix& dw) const {
  for (std::size_t p = 0; p < parts_; ++p) kernels().add(sums_ + p * dw.size(), dw.data, dw.size());
}

ColumnSums::ColumnSums(Tape& tape, std::size_t rows, std::size_t cols)
    : sums_{tape.arena().take_array<float>(chunks(rows) * cols), chunks(rows), cols} {}

float* ColumnSums::begin(std::size_t first) const {
  float* sums = sums_.row(first / kChunk);
  std::fill_n(sums, sums_.cols, 0.0f);
  return sums;
}

void ColumnSums::take(const float* g, std::size_t first, std::size_t rows) const {
  kernels().add_rows(g, sums_.cols, begin(first), 0, rows, sums_.cols);
}

void ColumnSums::add_to(float* db) const {
  for (std::size_t c = 0; c < sums_.rows; ++c) kernels().add(sums_.row(c), db, sums_.cols);
}

}  // namespace equipoise
