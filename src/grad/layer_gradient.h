// Gradients of a layer's weights and biases, cut into pieces that depend on the shapes alone.
#pragma once

#include "grad/tape.h"

namespace equipoise {

/// dW += Xᵀ·G, for inputs X (batch × in) and gradients G (batch × out), whose rows are `stride` apart.
void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, std::size_t stride, const Matrix& dw);
inline void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, const Matrix& dw) {
  weight_gradient(tape, x, g, g.cols, dw);
}

/// Whether the gradient of weights with so many outputs is cut by columns; otherwise it is summed by parts of the rows.
inline bool cut_by_columns(std::size_t outputs) { return outputs >= 512; }
inline constexpr std::size_t kPartRows = 256;  // a whole number of chunks

/// Gradients of weights by parts of the rows, each taken where the rows are near anyway.
class WeightSums {
 public:
  WeightSums(Tape& tape, std::size_t rows, std::size_t in, std::size_t out);
  /// The part that begins with row `first`: x and g are its rows; different parts on any thread.
  void take(const float* x, const float* g, std::size_t first, std::size_t last, std::size_t stride) const;
  void take(const float* x, const float* g, std::size_t first, std::size_t last) const {
    take(x, g, first, last, out_);
  }
  /// dW += all of them, in the order of the rows.
  void add_to(const Matrix& dw) const;

 private:
  float* sums_;  // (parts × in × out)
  std::size_t parts_, in_, out_;
};

/// Column sums of gradients (those of the biases), taken chunk by chunk where the rows are near anyway.
class ColumnSums {
 public:
  ColumnSums(Tape& tape, std::size_t rows, std::size_t cols);
  /// Where the sums of one of `for_row_chunks` are to be, zero at first; different ones on any thread.
  float* begin(std::size_t first) const;
  /// That, and the chunk's rows added, which lie at g.
  void take(const float* g, std::size_t first, std::size_t rows) const;
  /// db += all of them, in the order of the chunks.
  void add_to(float* db) const;
  const Matrix& all() const { return sums_; }

 private:
  Matrix sums_;  // a row for each chunk: so long sums keep their precision
};

}  // namespace equipoise
