// Every list that a policy may draw from a few items, with its chance, by plain multiplication.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "policy/lists.h"

namespace equipoise {

using List = std::vector<std::int32_t>;

/// Calls `take` for each ordered list of `length` of the items.
inline void for_lists(const std::vector<std::int32_t>& items, std::size_t length, List& begun,
                      const std::function<void(const List&)>& take) {
  if (begun.size() == length) return take(begun);
  for (const std::int32_t item : items) {
    if (std::find(begun.begin(), begun.end(), item) != begun.end()) continue;
    begun.push_back(item);
    for_lists(items, length, begun, take);
    begun.pop_back();
  }
}

/// The chance of every ordered list. `ranked`: all eligible items.
inline std::map<List, long double> all_lists(const Policy& policy, const std::vector<Recommended>& ranked,
                                             std::size_t k) {
  const std::size_t n = ranked.size(), length = std::min(k, n);
  std::vector<std::int32_t> items;
  for (const Recommended& r : ranked) items.push_back(r.item);
  const std::size_t pool = std::min(n, policy.ranked(length));
  std::map<List, long double> out;
  List begun;
  for_lists(items, length, begun, [&](const List& list) {
    long double uniform = 1, own = 1, left = 0;
    for (std::size_t j = 0; j < length; ++j) uniform /= static_cast<long double>(n - j);
    std::map<std::int32_t, long double> odds;
    for (std::size_t i = 0; i < pool; ++i) {
      const long double below = (static_cast<long double>(ranked[i].score) - ranked[0].score) / policy.temperature;
      odds[ranked[i].item] = std::exp(std::max(below, -300.0L));  // the policy knows no odds further apart
    }
    for (std::size_t j = 0; j < length; ++j) {
      if (policy.kind == "plackett-luce") {
        left = 0;
        for (const auto& [item, w] : odds) left += w;
        own *= odds.contains(list[j]) ? odds[list[j]] / left : 0;
        odds.erase(list[j]);
      } else {
        own *= list[j] == ranked[j].item ? 1 : 0;
      }
    }
    const double epsilon = policy.draws() ? policy.epsilon : 0;
    out[list] = (1 - static_cast<long double>(epsilon)) * own + epsilon * uniform;
  });
  return out;
}

/// The three chances of the item at `place` of the list, summed over all lists.
inline Chances summed(const std::map<List, long double>& lists, const List& list, std::size_t place) {
  long double above = 0, here = 0, at_place = 0, in_list = 0;
  for (const auto& [other, chance] : lists) {
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(place);
    const bool begins = std::equal(list.begin(), middle, other.begin());
    above += begins ? chance : 0;
    here += begins && other[place] == list[place] ? chance : 0;
    at_place += other[place] == list[place] ? chance : 0;
    in_list += std::find(other.begin(), other.end(), list[place]) != other.end() ? chance : 0;
  }
  return {static_cast<double>(here / above), static_cast<double>(at_place), static_cast<double>(in_list)};
}

}  // namespace equipoise
