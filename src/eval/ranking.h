// A list in the order of its scores, as the ranking metrics see it, and its first items.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace equipoise {

/// A list of n items with R relevant ones. Items of equal score are in a uniformly random order, so what counts is
/// the groups of equal score; those without a relevant item are not kept.
struct RankedList {
  /// m items of equal score, r ≥ 1 of them relevant, on the places s+1 … s+m; h relevant items are above.
  struct Group {
    std::size_t s, m, r, h;
  };
  std::size_t n = 0, R = 0;
  std::size_t k = 0;             // where metrics that are cut end
  std::span<const double> gain;  // (k + 1): the sum of 1/log2(place + 1) over the first places
  std::vector<Group> groups;     // from the first place on
};

/// Makes lists for one k. Must outlive its lists, which look at its gains.
class Ranker {
 public:
  /// k ≥ 1.
  explicit Ranker(int k);
  std::size_t k() const { return k_; }
  RankedList operator()(std::span<const float> scores, std::span<const std::uint8_t> labels) const;
  /// The same list, cut at this k.
  RankedList cut(RankedList list) const;
  /// A list of `items` items with `relevant` relevant ones of which only the first places are known, in order. Right
  /// for metrics that are cut at k where those are at least k, or all, and the next score is another.
  RankedList of_first(std::span<const float> scores, std::span<const std::uint8_t> labels, std::size_t items,
                      std::size_t relevant) const;
  /// A list without ties whose relevant items are the first ones, or the last ones.
  RankedList best(std::size_t items, std::size_t relevant) const;
  RankedList worst(std::size_t items, std::size_t relevant) const;

 private:
  RankedList in_a_row(std::size_t items, std::size_t relevant, std::size_t first) const;

  std::size_t k_;
  std::vector<double> gain_;
};

/// The first k items by score: what would be shown. Of equal scores the one with the lower place comes first, where
/// `place` has one for each item of the catalogue.
std::vector<std::int32_t> first_items(std::span<const float> scores, std::span<const std::int32_t> items,
                                      std::span<const std::int32_t> place, int k);

}  // namespace equipoise
