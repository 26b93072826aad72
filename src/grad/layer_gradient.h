// Gradients of a layer's weights and biases, cut into pieces that depend on the shapes alone.
#pragma once

#include "grad/tape.h"

namespace equipoise {

/// dW += Xᵀ·G, for inputs X (batch × in) and gradients G (batch × out).
void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, const Matrix& dw);

/// Column sums of gradients (those of the biases), taken chunk by chunk where the rows are near anyway.
class ColumnSums {
 public:
  ColumnSums(Tape& tape, std::size_t rows, std::size_t cols);
  /// The sums of one of `for_row_chunks`; different ones on any thread.
  void take(const Matrix& g, std::size_t first, std::size_t last) const;
  /// db += all of them, in the order of the chunks.
  void add_to(float* db) const;

 private:
  Matrix sums_;  // a row for each chunk: so long sums keep their precision
};

}  // namespace equipoise
