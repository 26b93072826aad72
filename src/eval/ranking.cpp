// Sorting a list once into groups of equal score.
#include "eval/ranking.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace equipoise {

namespace {

struct Scored {
  float score;
  std::uint8_t label;
};

}  // namespace

Ranker::Ranker(int k) : k_(static_cast<std::size_t>(k)) {
  EQUIPOISE_ASSERT(k >= 1);
  gain_.push_back(0);
  for (int place = 1; place <= k; ++place) gain_.push_back(gain_.back() + 1 / std::log2(place + 1.0));
}

RankedList Ranker::operator()(std::span<const float> scores, std::span<const std::uint8_t> labels) const {
  std::vector<Scored> order(scores.size());
  RankedList list{order.size(), 0, k_, gain_, {}};
  for (std::size_t p = 0; p < order.size(); ++p) {
    order[p] = {scores[p], labels[p]};
    list.R += labels[p];
  }
  if (list.R == 0) return list;
  std::sort(order.begin(), order.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });

  list.groups.reserve(list.R);
  RankedList::Group group{0, 0, 0, 0};
  while (group.h < list.R) {
    group.m = group.r = 0;
    const float score = order[group.s].score;
    for (std::size_t p = group.s; p < order.size() && order[p].score == score; ++p, ++group.m)
      group.r += order[p].label;
    if (group.r > 0) list.groups.push_back(group);
    group.s += group.m;
    group.h += group.r;
  }
  return list;
}

RankedList Ranker::cut(RankedList list) const {
  list.k = k_;
  list.gain = gain_;
  return list;
}

RankedList Ranker::of_first(std::span<const float> scores, std::span<const std::uint8_t> labels, std::size_t items,
                            std::size_t relevant) const {
  RankedList list{items, relevant, k_, gain_, {}};
  RankedList::Group group{0, 0, 0, 0};
  while (group.s < scores.size()) {
    group.m = group.r = 0;
    for (std::size_t p = group.s; p < scores.size() && scores[p] == scores[group.s]; ++p, ++group.m) {
      group.r += labels[p];
    }
    if (group.r > 0) list.groups.push_back(group);
    group.s += group.m;
    group.h += group.r;
  }
  if (group.h < relevant) list.groups.push_back({group.s, items - group.s, relevant - group.h, group.h});
  return list;
}

RankedList Ranker::best(std::size_t items, std::size_t relevant) const { return in_a_row(items, relevant, 0); }

RankedList Ranker::worst(std::size_t items, std::size_t relevant) const {
  return in_a_row(items, relevant, items - std::min(items, relevant));
}

RankedList Ranker::in_a_row(std::size_t items, std::size_t relevant, std::size_t first) const {
  RankedList list{items, relevant, k_, gain_, {}};
  for (std::size_t h = 0; h < relevant; ++h) list.groups.push_back({first + h, 1, 1, h});
  return list;
}

std::vector<std::int32_t> first_items(std::span<const float> scores, std::span<const std::int32_t> items,
                                      std::span<const std::int32_t> place, int k) {
  const auto place_of = [&](std::size_t p) { return place[static_cast<std::size_t>(items[p])]; };
  std::vector<std::size_t> order(items.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  const auto end = order.begin() + std::min<std::ptrdiff_t>(k, std::ssize(order));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : place_of(a) < place_of(b);
  });
  std::vector<std::int32_t> first;
  for (auto next = order.begin(); next != end; ++next) first.push_back(items[*next]);
  return first;
}

}  // namespace equipoise
