// Plackett-Luce lists: each next item is drawn with odds exp(score / temperature) among those that are left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/place_integral.h"
#include "core/random.h"
#include "recommender/scorer.h"

namespace equipoise {

/// Of one item of a list.
struct PlacedChance {
  double log_prefix = 0;  // logarithm of the chance that the list begins with the items up to this one
  double at_place = 0;
  double in_list = 0;
};

/// Lists from one pool at a time; keeps its working memory.
class PlackettLuce {
 public:
  /// `pool`: items with scores, the best first.
  void pose(std::span<const Recommended> pool, double temperature);
  /// Appends `length` items of the pool: those with the largest logarithm of odds + Gumbel noise, largest first.
  void draw(std::size_t length, Stream& stream, std::vector<std::int32_t>& list);
  /// Of each item of a whole list; all 0 for an item outside the pool.
  void chances(std::span<const std::int32_t> list, std::span<PlacedChance> out);
  /// Of every item of the pool: the chance of being in a list of `length`, and at a place of it from 0.
  void all_chances(std::size_t length, std::size_t place, std::span<PlacedChance> out);
  /// The odds of every item of the pool for the place after `above`, adding to 1; and the logarithm of the chance that
  /// a list begins with those.
  double next(std::span<const std::int32_t> above, std::span<double> out);

 private:
  std::vector<std::int32_t> items_;  // (pool)
  std::vector<double> log_odds_;     // (pool) at most 0
  std::vector<double> odds_;         // (pool)
  std::vector<std::pair<double, std::int32_t>> keys_;
  std::vector<std::int32_t> listed_;  // (list) place in the pool, or −1
  std::vector<double> left_;          // (list) the odds of all that are left before each place
  std::vector<PlaceIntegral::Listed> asked_;
  PlaceIntegral integral_;
};

}  // namespace equipoise
