// Drawing users without replacement.
#include "recommender/user_sample.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/random.h"

namespace equipoise {

std::vector<std::size_t> sample_of_users(std::size_t users, std::int32_t items, const SampleLimits& limits,
                                         std::string_view purpose) {
  std::vector<std::size_t> out(users);
  std::iota(out.begin(), out.end(), std::size_t{0});
  const std::size_t by_pairs = limits.pairs / static_cast<std::size_t>(std::max(items, 1));
  const std::size_t most = std::min(limits.users, std::max(by_pairs, limits.fewest));
  if (users <= most) return out;
  Stream stream(1, purpose);
  stream.shuffle(std::span(out));
  out.resize(most);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace equipoise
