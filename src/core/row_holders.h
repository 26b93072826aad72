// Rows, or texts, that ranks hold between them: who has which, and how the first rank comes to see them all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/parallel.h"
#include "core/ranks.h"

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

/// Gives all rows (rows × cols), of which every rank has `mine`, to `take` on the first rank: in order, some megabytes
/// at a time. All ranks call it together.
void pass_rows(Ranks& ranks, std::size_t rows, std::size_t cols, std::span<const float> mine,
               FunctionRef<void(std::span<const float>)> take);

/// The same for texts, of which every rank has its share (share_of): how long each of some is, and their letters.
void pass_texts(Ranks& ranks, std::int64_t count, std::span<const std::string> mine,
                FunctionRef<void(std::span<const std::uint32_t> lengths, std::string_view letters)> take);

}  // namespace equipoise
