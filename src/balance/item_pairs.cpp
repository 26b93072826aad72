// Pairs of items: the largest by a heap over the sorted items, drawn ones by an alias table.
#include "balance/item_pairs.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

namespace equipoise {

namespace {

ItemPair ordered(std::int32_t a, std::int32_t b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

std::vector<ItemPair> largest_pairs(std::span<const double> p, std::size_t count) {
  std::vector<std::int32_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)];
  });
  // Steps (a, b), a < b, in the sorted order. A pair's successors are (a, b + 1) and, from (a, a + 1), (a + 1, a + 2):
  // each pair has one predecessor that is at least as large, so the heap never misses the next largest.
  struct Step {
    double importance;
    std::size_t a, b;
    bool operator<(const Step& o) const {
      return importance != o.importance ? importance < o.importance : std::tie(a, b) > std::tie(o.a, o.b);
    }
  };
  std::priority_queue<Step> heap;
  const auto push = [&](std::size_t a, std::size_t b) {
    if (b >= order.size()) return;
    heap.push({p[static_cast<std::size_t>(order[a])] + p[static_cast<std::size_t>(order[b])], a, b});
  };
  push(0, 1);
  std::vector<ItemPair> out;
  while (out.size() < count && !heap.empty()) {
    const Step top = heap.top();
    heap.pop();
    out.push_back(ordered(order[top.a], order[top.b]));
    push(top.a, top.b + 1);
    if (top.b == top.a + 1) push(top.a + 1, top.a + 2);
  }
  return out;
}

ItemPair PairSampler::draw(Stream& stream) const {
  const std::uint32_t one = law_.draw(stream);
  const std::uint32_t rest = stream.below(items_ - 1);
  return ordered(static_cast<std::int32_t>(one), static_cast<std::int32_t>(rest < one ? rest : rest + 1));
}

}  // namespace equipoise
