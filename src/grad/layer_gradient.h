// Gradients of a layer's weights and biases, cut into pieces that depend on the shapes alone.
#pragma once

#include "grad/tape.h"

namespace equipoise {

/// dW += Xᵀ·G, for inputs X (batch × in) and gradients G (batch × out), whose rows are `stride` apart.
void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, std::size_t stride, const Matrix& dw);
inline void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, const Matrix& dw) {
  weight_gradient(tape, x, g, g.cols, dw);
}

/// Column sums of gradients (those of the biases), taken chunk by chunk where the rows are near anyway.
class ColumnSums {
 public:
  ColumnSums(Tape& tape, std::size_t rows, std::size_t cols);
  /// Where the sums of one of `for_row_chunks` are to be, zero at first; different ones on any thread.
  float* begin(std::size_t first) const;
  /// That, and its rows of g added.
  void take(const Matrix& g, std::size_t first, std::size_t last) const;
  /// db += all of them, in the order of the chunks.
  void add_to(float* db) const;
  const Matrix& all() const { return sums_; }

 private:
  Matrix sums_;  // a row for each chunk: so long sums keep their precision
};

}  // namespace equipoise
