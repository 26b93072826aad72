// Alias table (Walker's method, built by Vose's two lists).
#include "core/alias.h"

#include <cmath>
#include <numeric>

#include "core/error.h"

namespace equipoise {

AliasTable::AliasTable(std::span<const double> odds) : keep_(odds.size()), other_(odds.size()) {
  const double total = std::accumulate(odds.begin(), odds.end(), 0.0);
  EQUIPOISE_ASSERT(total > 0 && std::isfinite(total));  // so there is one, and none is NaN or infinite
  std::vector<std::uint32_t> small, large;
  for (std::size_t k = 0; k < odds.size(); ++k) {
    EQUIPOISE_ASSERT(odds[k] >= 0);
    keep_[k] = odds[k] / total * static_cast<double>(odds.size());
    other_[k] = static_cast<std::uint32_t>(k);
    (keep_[k] < 1 ? small : large).push_back(static_cast<std::uint32_t>(k));
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t s = small.back(), l = large.back();
    small.pop_back();
    other_[s] = l;
    keep_[l] -= 1 - keep_[s];
    if (keep_[l] < 1) {
      large.pop_back();
      small.push_back(l);
    }
  }
  for (const std::uint32_t k : large) keep_[k] = 1;
  for (const std::uint32_t k : small) keep_[k] = 1;  // rounding only: each is 1 but for the last bits
}

}  // namespace equipoise
