// Ranking metrics of one list, each the exact expectation over random orders of equal scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eval/metric.h"

namespace equipoise {

/// Computes NDCG@k, recall@k, precision@k, hit rate@k, MRR, MAP and AUC of a list. Items of equal score stand in a
/// uniformly random order, and every value is its expectation over that order, so a constant scorer gets what a random
/// order gets on average.
class Ranker {
 public:
  /// k ≥ 1.
  explicit Ranker(int k);
  /// NaN where a value is not defined: all without a positive, AUC also without a negative.
  RankingValues operator()(std::span<const float> scores, std::span<const std::uint8_t> labels) const;

 private:
  struct Group;
  void add_group(const Group& group, RankingValues& sums) const;

  std::size_t k_;
  std::vector<double> gain_;  // (k + 1): the sum of 1/log2(place + 1) over the first places
};

/// The first k items by score, equal scores by item number: what would be shown.
std::vector<std::int32_t> first_items(std::span<const float> scores, std::span<const std::int32_t> items, int k);

}  // namespace equipoise
