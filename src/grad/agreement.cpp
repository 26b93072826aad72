// The lowest level of kernels among the ranks.
#include "grad/agreement.h"

#include <algorithm>

#include "grad/gemm.h"
#include "grad/kernels.h"

namespace equipoise {

void agree_on_kernels(Ranks& ranks) {
  if (ranks.alone()) return;
  struct Levels {
    int kernels, products;
  };
  const Levels mine{kernel_level(), product_level()};
  Parcels all;
  ranks.all_gather(std::as_bytes(std::span(&mine, 1)), all);
  Levels lowest = mine;
  for (int r = 0; r < ranks.size(); ++r) {
    const Levels theirs = all.values<Levels>(r).front();
    lowest = {std::min(lowest.kernels, theirs.kernels), std::min(lowest.products, theirs.products)};
  }
  limit_kernels(lowest.kernels);
  limit_products(lowest.products);
}

}  // namespace equipoise
