// Drawing items uniformly from those that are eligible.
#include "policy/eligible_items.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace equipoise {

// Before the j-th item left out there are left_out[j] − j eligible ones; the n-th eligible item comes after all those
// left out for which that number is at most n.
std::int32_t EligibleItems::at(std::size_t n) const {
  if (items_ < 0) return only_[n];
  std::size_t low = 0, high = left_out_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (static_cast<std::size_t>(left_out_[middle]) - middle <= n)
      low = middle + 1;
    else
      high = middle;
  }
  return static_cast<std::int32_t>(n + low);
}

bool EligibleItems::has(std::int32_t item) const {
  if (items_ < 0) return std::binary_search(only_.begin(), only_.end(), item);
  return item < items_ && !std::binary_search(left_out_.begin(), left_out_.end(), item);
}

double EligibleItems::sum(std::span<const double> values, double all) const {
  double listed = 0;
  for (const std::int32_t item : items_ < 0 ? only_ : left_out_) listed += values[static_cast<std::size_t>(item)];
  return items_ < 0 ? listed : all - listed;
}

void EligibleItems::draw(std::size_t count, Stream& stream, std::vector<std::uint32_t>& room,
                         std::vector<std::int32_t>& out) const {
  const auto n = static_cast<std::uint32_t>(size());
  EQUIPOISE_ASSERT(count <= n);
  out.clear();
  room.clear();
  if (2 * count >= n) {  // a shuffle of all that stops after `count`
    room.resize(n);
    std::iota(room.begin(), room.end(), 0U);
    for (std::uint32_t i = 0; i < count; ++i) std::swap(room[i], room[i + stream.below(n - i)]);
  } else {
    while (room.size() < count) {
      const std::uint32_t drawn = stream.below(n);
      if (std::find(room.begin(), room.end(), drawn) == room.end()) room.push_back(drawn);
    }
  }
  for (std::size_t i = 0; i < count; ++i) out.push_back(at(room[i]));
}

}  // namespace equipoise
