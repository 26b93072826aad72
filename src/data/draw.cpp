// Draws without replacement by exponential keys.
#include "data/draw.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace equipoise {

std::vector<std::uint32_t> draw_without_replacement(std::span<const double> odds, std::size_t count, Stream& stream) {
  EQUIPOISE_ASSERT(count <= odds.size());
  // With E_k ~ Exp(1), the smallest of E_k / odds_k is k with probability odds_k / Σ odds; having no memory, the rest
  // start anew, so that the keys in ascending order are the draws one after another.
  std::vector<std::pair<double, std::uint32_t>> keys(odds.size());
  for (std::size_t k = 0; k < odds.size(); ++k) {
    const double exponential = -std::log1p(-stream.uniform());
    keys[k] = {odds[k] > 0 ? exponential / odds[k] : HUGE_VAL, static_cast<std::uint32_t>(k)};
  }
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), keys.end());
  std::vector<std::uint32_t> drawn(count);
  for (std::size_t k = 0; k < count; ++k) drawn[k] = keys[k].second;
  return drawn;
}

}  // namespace equipoise
