// Rows of a table that ranks hold between them: those fetched from others, gradients on their way home.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/row_holders.h"
#include "grad/matrix.h"

namespace equipoise {

/// The rows of one table that this rank has looked up since they last moved.
class FetchedRows {
 public:
  FetchedRows(Ranks& ranks, std::size_t rows, std::size_t cols);
  const RowHolders& holders() const { return holders_; }
  Ranks& ranks() { return ranks_; }

  /// Each table row's number becomes its place among the fetched ones; −1 stays. All ranks call it together, each with
  /// its own rows, which may be none. `held` are the rows that this rank has.
  void fetch(std::span<std::int32_t> rows, const Matrix& held);
  /// (fetched × cols).
  const float* data() const { return data_.data(); }
  /// They have moved: what was fetched is not theirs any more.
  void forget();

 private:
  void ask();
  void answer(const Matrix& held);
  void take(const Matrix& held);

  Ranks& ranks_;
  RowHolders holders_;
  std::size_t cols_;
  std::vector<std::int32_t> places_;   // of each table row, −1 = not fetched
  std::vector<std::int32_t> fetched_;  // the row at each place
  std::size_t asked_ = 0;              // places before this one are filled
  Floats data_;
  std::vector<std::size_t> sizes_;
  Parcels questions_, asked_of_me_, answers_, rows_;
};

}  // namespace equipoise
