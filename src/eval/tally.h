// Everything an evaluation keeps of the scored lists, user by user, and the metrics that come from it.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "eval/auc.h"
#include "eval/candidates.h"
#include "eval/item_facts.h"
#include "eval/metric.h"
#include "eval/pooled.h"
#include "eval/ranking.h"
#include "eval/shown_items.h"
#include "eval/user_means.h"
#include "recommender/scorer.h"

namespace equipoise {

/// Scores of a block's pairs. CheckError, naming the pair, if one is not finite.
void score_block(const Scorer& scorer, const Dataset& data, const ListBlock& block, std::vector<float>& scores);

class Tally {
 public:
  /// `k`: one or more places where metrics are cut. `auc` decides how the AUC over all pairs is computed. With
  /// `count_empty` users without a positive count as the metric's convention says, where it has one.
  Tally(const ItemFacts& facts, std::size_t users, const std::vector<int>& k, std::unique_ptr<PooledAuc> auc,
        bool count_empty = false);

  /// What is kept and held meanwhile of a user with one list.
  static std::size_t bytes_per_user();

  /// Adds scored lists, those of one user after those of the one before. The lists are measured on the pool.
  void add(const ListBlock& block, std::span<const float> scores, Pool& pool);
  /// Takes in the lists that the other ranks have added: each those of its share of the users.
  void gather(Ranks& ranks);
  /// Adds the first items of a user's whole list, as many as the largest k; users in the order of their slots.
  void add_shown(std::size_t slot, std::span<const std::int32_t> first);
  void finish();

  /// What is measured, in the order of `values`.
  const std::vector<MetricAt>& metrics() const { return metrics_; }
  /// All of them with each user counting that often (empty = once); NaN where a metric is not defined.
  MetricValues values(Counts counts = {}) const;
  /// Of the metrics of lists, by name: the mean over the user's lists, one value per user; NaN for users who are left
  /// out.
  std::map<std::string, std::vector<double>> user_values() const;
  /// The sums of all pairs, with each user counting that often.
  PairSums pair_sums(Counts counts = {}) const;

 private:
  std::vector<MetricAt> metrics_;
  std::vector<Ranker> rankers_;          // (k)
  std::vector<std::size_t> ranked_;      // the places among metrics_ of those of lists
  std::vector<UserMeans> ranking_;       // (ranked_) and their means
  std::vector<PairSums> pairs_;          // (users)
  std::vector<ShownItems> shown_items_;  // (k)
  std::unique_ptr<PooledAuc> auc_;
};

}  // namespace equipoise
