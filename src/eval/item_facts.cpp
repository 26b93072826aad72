// Counting the rows of items and ordering their ids.
#include "eval/item_facts.h"

#include <algorithm>
#include <numeric>

namespace equipoise {

ItemFacts::ItemFacts(const Dataset& data)
    : popularity(static_cast<std::size_t>(data.items.size())), place_by_id(popularity.size()) {
  for (const std::int32_t item : data.train.item) popularity[static_cast<std::size_t>(item)] += 1;
  std::vector<std::int32_t> by_id(place_by_id.size());
  std::iota(by_id.begin(), by_id.end(), 0);
  std::sort(by_id.begin(), by_id.end(),
            [&](std::int32_t a, std::int32_t b) { return data.items.name(a) < data.items.name(b); });
  for (std::size_t place = 0; place < by_id.size(); ++place) {
    place_by_id[static_cast<std::size_t>(by_id[place])] = static_cast<std::int32_t>(place);
  }
}

}  // namespace equipoise
