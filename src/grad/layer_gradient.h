// Gradients of a layer: a sum for each chunk of rows, added in an order that depends on the number of rows alone.
// decides.
#pragma once

#include "core/sums.h"
#include "grad/tape.h"

namespace equipoise {

/// Σ f(i) over the numbers of a matrix: the sum of each chunk of rows, and the sum of those in their order.
template <class F>
double sum_of_chunks(const Matrix& m, F f) {
  return sum_by_pieces(m.size(), f, kChunk * m.cols);
}

/// Adds `count` arrays of n numbers, which lie one after another, all into the first: neighbours by pairs, then pairs
/// of pairs, and so on. The tree depends on their number alone, and whoever has all parts of a branch may add those.
void add_parts(float* parts, std::size_t count, std::size_t n);

/// dW += Xᵀ·G, for inputs X (batch × in) and gradients G (batch × out), whose rows are `stride` apart.
void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, std::size_t stride, const Matrix& dw);
inline void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, const Matrix& dw) {
  weight_gradient(tape, x, g, g.cols, dw);
}

/// Whether weights have so many outputs that their gradient is made by columns, so that no chunk's sum is held whole.
inline bool cut_by_columns(std::size_t outputs) { return outputs >= 512; }

/// Gradients of weights by chunks of rows, each taken where the rows are near anyway.
class WeightSums {
 public:
  WeightSums(Tape& tape, std::size_t rows, std::size_t in, std::size_t out);
  /// The chunk that begins with row `first`: x and g are its rows; different ones on any thread.
  void take(const float* x, const float* g, std::size_t first, std::size_t last, std::size_t stride) const;
  void take(const float* x, const float* g, std::size_t first, std::size_t last) const {
    take(x, g, first, last, out_);
  }
  /// dW += all of them, as `add_parts` does; once.
  void add_to(const Matrix& dw) const;

 private:
  float* sums_;  // (chunks × in × out)
  std::size_t chunks_, in_, out_;
};

/// Column sums of gradients (those of the biases), taken chunk by chunk where the rows are near anyway.
class ColumnSums {
 public:
  ColumnSums(Tape& tape, std::size_t rows, std::size_t cols);
  /// Where the sums of one of `for_row_chunks` are to be, zero at first; different ones on any thread.
  float* begin(std::size_t first) const;
  /// That, and the chunk's rows added, which lie at g.
  void take(const float* g, std::size_t first, std::size_t rows) const;
  /// db += all of them, as `add_parts` does; once.
  void add_to(float* db) const;
  const Matrix& all() const { return sums_; }

 private:
  Matrix sums_;  // a row for each chunk: so long sums keep their precision
};

}  // namespace equipoise
