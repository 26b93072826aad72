// Rows of a table that ranks hold between them: who has which, and those fetched from others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ranks.h"
#include "grad/matrix.h"

namespace equipoise {

/// Row r is with rank r mod size, as its row r ÷ size: so rows that many look up are with everybody.
struct RowHolders {
  int rank = 0;
  int size = 1;
  std::uint64_t reciprocal = ~std::uint64_t{0} / static_cast<std::uint64_t>(size) + 1;  // of size, for several ranks

  int holder(std::int32_t row) const { return row - local(row) * size; }
  bool has(std::int32_t row) const { return holder(row) == rank; }
  /// row ÷ size by a product, which takes a quarter of the time: exact for every row (Lemire, Kaser, Kurz, 2019).
  std::int32_t local(std::int32_t row) const {
    __extension__ using Wide = unsigned __int128;
    return size == 1 ? row : static_cast<std::int32_t>(Wide{reciprocal} * static_cast<std::uint32_t>(row) >> 64);
  }
  /// How many of so many rows this rank holds.
  std::size_t held(std::size_t rows) const {
    const auto all = static_cast<std::size_t>(size), own = static_cast<std::size_t>(rank);
    return (rows + all - 1 - own) / all;
  }
};

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
