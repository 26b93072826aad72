// Gradients of a layer: a sum for each chunk of rows, added in an order that depends on the number of rows alone.
// decides.
#pragma once

#include "core/sums.h"
#include "grad/tape.h"

namespace equipoise {

/// Σ f(i) over the numbers of a matrix of so many columns, of which this rank has a part: the sum of each chunk of
/// rows, and the sum of those in their order.
template <class F>
double sum_of_chunks(Tape& tape, const OwnRows& part, std::size_t cols, F f) {
  if (part.whole) return sum_by_pieces(part.all * cols, f, kChunk * cols);
  std::vector<double>& sums = tape.sharing().partial;
  sums.clear();
  for (std::size_t first = part.first; first < part.last; first += kChunk) {
    double sum = 0;
    for (std::size_t i = first * cols; i < std::min(part.last, first + kChunk) * cols; ++i) sum += f(i);
    sums.push_back(sum);
  }
  return tape.sharing().sum(sums);
}

/// Adds `count` arrays of n numbers, which lie one after another, all into the first: neighbours by pairs, then pairs
/// of pairs, and so on. The tree depends on their number alone, and whoever has all parts of a branch may add those.
void add_parts(float* parts, std::size_t count, std::size_t n);

/// When the sums of other ranks are needed: at once, or when the walk backwards is over, all of them together.
enum class When { now, later };
/// into += the sums.
void add_sums(Tape& tape, const ChunkSums& sums, float* into, When when);

/// dW += Xᵀ·G over the part's rows and those of others, for inputs X (batch × in) and gradients G (batch × out), whose
/// rows are `stride` apart.
void weight_gradient(Tape& tape, const OwnRows& part, const Matrix& x, const Matrix& g, std::size_t stride,
                     const Matrix& dw, When when);

/// Whether weights have so many outputs that their gradient is made by columns, so that no chunk's sum is held whole.
inline bool cut_by_columns(std::size_t outputs) { return outputs >= 512; }

/// Gradients of weights by chunks of rows, each taken where the rows are near anyway.
class WeightSums {
 public:
  WeightSums(Tape& tape, const OwnRows& part, std::size_t in, std::size_t out);
  /// The chunk that begins with row `first`: x and g are its rows; different ones on any thread.
  void take(const float* x, const float* g, std::size_t first, std::size_t last, std::size_t stride) const;
  void take(const float* x, const float* g, std::size_t first, std::size_t last) const {
    take(x, g, first, last, out_);
  }
  /// dW += all of them, as `add_parts` does; once.
  void add_to(Tape& tape, const Matrix& dw, When when) const { add_sums(tape, sums_, dw.data, when); }

 private:
  ChunkSums sums_;  // (in × out) each
  std::size_t in_, out_;
};

/// Column sums of gradients (those of the biases), taken chunk by chunk where the rows are near anyway.
class ColumnSums {
 public:
  ColumnSums(Tape& tape, const OwnRows& part, std::size_t cols);
  /// Where the sums of one of `for_row_chunks` are to be, zero at first; different ones on any thread.
  float* begin(std::size_t first) const;
  /// That, and the chunk's rows added, which lie at g.
  void take(const float* g, std::size_t first, std::size_t rows) const;
  /// db += all of them, as `add_parts` does; once.
  void add_to(Tape& tape, float* db, When when) const { add_sums(tape, sums_, db, when); }
  const ChunkSums& all() const { return sums_; }

 private:
  ChunkSums sums_;  // a row for each chunk: so long sums keep their precision
};

}  // namespace equipoise
