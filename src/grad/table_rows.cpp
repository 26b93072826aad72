// Tables from and to whole arrays, block by block so that nothing is held twice.
#include "grad/table_rows.h"

#include <algorithm>

namespace equipoise {

void pass_table(const TrainedArray& table, const Floats& mine, FunctionRef<void(std::span<const float>)> take) {
  if (table.fetched() == nullptr || mine.empty()) return take(mine);
  pass_rows(table.fetched()->ranks(), table.rows(), table.cols(), mine, take);
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
