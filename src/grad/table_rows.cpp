// Tables from and to whole arrays, block by block so that nothing is held twice.
#include "grad/table_rows.h"

#include <algorithm>

namespace equipoise {

namespace {

constexpr std::size_t kBlock = 16384;  // rows of each rank that travel at once

float* row_in(Floats& whole, const TrainedArray& table, std::size_t local, int rank) {
  const auto size = static_cast<std::size_t>(table.holders().size);
  return whole.data() + (local * size + static_cast<std::size_t>(rank)) * table.cols();
}

}  // namespace

Floats gathered_rows(const TrainedArray& table, const Floats& mine) {
  if (table.fetched() == nullptr || mine.empty()) return mine;
  const RowHolders holders = table.holders();
  const std::size_t cols = table.cols(), most = RowHolders{0, holders.size}.held(table.rows());
  Floats whole(holders.rank == 0 ? table.rows() * cols : 0);
  std::vector<std::size_t> sizes(static_cast<std::size_t>(holders.size), 0);
  Parcels out, in;
  for (std::size_t first = 0; first < most; first += kBlock) {
    const std::size_t begin = std::min(first, table.held()), end = std::min(first + kBlock, table.held());
    sizes[0] = (end - begin) * cols * sizeof(float);
    out.lay_out(sizes);
    std::copy(mine.data() + begin * cols, mine.data() + end * cols, out.values<float>(0).data());
    table.fetched()->ranks().all_to_all(out, in);
    for (int r = 0; holders.rank == 0 && r < holders.size; ++r) {
      const std::span<const float> rows = in.values<float>(r);
      for (std::size_t k = 0; k < rows.size() / cols; ++k) {
        std::copy_n(rows.data() + k * cols, cols, row_in(whole, table, first + k, r));
      }
    }
  }
  return whole;
}

Floats own_rows(const TrainedArray& table, std::span<const float> whole) {
  if (table.fetched() == nullptr || whole.empty()) return {whole.begin(), whole.end()};
  const RowHolders holders = table.holders();
  Floats out(table.held() * table.cols());
  for (std::size_t k = 0; k < table.held(); ++k) {
    const std::size_t row = k * static_cast<std::size_t>(holders.size) + static_cast<std::size_t>(holders.rank);
    std::copy_n(whole.data() + row * table.cols(), table.cols(), out.data() + k * table.cols());
  }
  return out;
}

}  // namespace equipoise
