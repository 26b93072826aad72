// Groups of items by popularity.
#include "serve/popularity.h"

#include <algorithm>
#include <numeric>

namespace equipoise {

Popularity::Popularity(std::span<const std::int32_t> rows) : tenth_(rows.size()) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] > rows[b]; });
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t tenth = place * kTenths / order.size();
    tenth_[order[place]] = static_cast<std::uint8_t>(tenth);
    rows_[tenth] += rows[order[place]];
  }
}

}  // namespace equipoise
