// Sets of shown items: made from a log, and traded between users.
#include "doctor/shown_sets.h"

#include <algorithm>
#include <numeric>

namespace equipoise {

ShownSets::ShownSets(const Rows& log, std::int32_t users, std::int32_t item_count) : items(item_count) {
  std::vector<std::vector<std::int32_t>> lists(static_cast<std::size_t>(users));
  for (std::size_t t = 0; t < log.size(); ++t) lists[static_cast<std::size_t>(log.user[t])].push_back(log.item[t]);
  offsets.push_back(0);
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    items_of.insert(items_of.end(), list.begin(), list.end());
    offsets.push_back(items_of.size());
  }
}

std::vector<double> ShownSets::item_counts() const {
  std::vector<double> counts(static_cast<std::size_t>(items), 0.0);
  for (const std::int32_t i : items_of) counts[static_cast<std::size_t>(i)] += 1;
  return counts;
}

namespace {

/// What only one of two sets has, and what both have, ascending.
struct Merged {
  std::vector<std::int32_t> single, both;
};

void merge(std::span<const std::int32_t> a, std::span<const std::int32_t> b, Merged& out) {
  out.single.clear(), out.both.clear();
  std::size_t j = 0, k = 0;
  while (j < a.size() || k < b.size()) {
    if (k == b.size() || (j < a.size() && a[j] < b[k])) {
      out.single.push_back(a[j++]);
    } else if (j == a.size() || b[k] < a[j]) {
      out.single.push_back(b[k++]);
    } else {
      out.both.push_back(a[j++]), ++k;
    }
  }
}

// Each single item goes to a with chance (places left in a) ÷ (places left), in ascending order: any choice of the
// right size is equally likely, and both sets stay sorted.
void deal(std::span<std::int32_t> a, std::span<std::int32_t> b, const Merged& merged, Stream& stream) {
  auto places = static_cast<std::uint32_t>(a.size() - merged.both.size());
  auto left = static_cast<std::uint32_t>(merged.single.size());
  std::size_t j = 0, k = 0, common = 0;
  for (const std::int32_t item : merged.single) {
    for (; common < merged.both.size() && merged.both[common] < item; ++common) {
      a[j++] = b[k++] = merged.both[common];
    }
    if (stream.below(left--) < places) {
      a[j++] = item, --places;
    } else {
      b[k++] = item;
    }
  }
  for (; common < merged.both.size(); ++common) a[j++] = b[k++] = merged.both[common];
}

}  // namespace

void trade(ShownSets& sets, Stream& stream) {
  std::vector<std::uint32_t> order(sets.users());
  std::iota(order.begin(), order.end(), 0U);
  stream.shuffle(std::span(order));
  Merged merged;
  for (std::size_t k = 0; k + 1 < order.size(); k += 2) {
    const auto a = sets.of(order[k]), b = sets.of(order[k + 1]);
    if (a.empty() || b.empty()) continue;
    merge(a, b, merged);
    deal(a, b, merged, stream);
  }
}

}  // namespace equipoise
