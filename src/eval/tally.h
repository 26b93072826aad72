// Everything an evaluation keeps of the scored lists, user by user, and the metrics that come from it.
#pragma once

#include <memory>
#include <span>
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
  /// `auc` decides how the AUC over all pairs is computed. The facts must outlive the tally.
  Tally(const ItemFacts& facts, std::size_t users, int k, std::unique_ptr<PooledAuc> auc);

  /// What is kept and held meanwhile of a user with one list.
  static std::size_t bytes_per_user();

  /// Adds scored lists, those of one user after those of the one before. The lists are measured on the pool.
  void add(const ListBlock& block, std::span<const float> scores, Pool& pool);
  void finish();

  /// All metrics with each user counting that often (empty = once); NaN where a metric is not defined.
  MetricValues values(Counts counts = {}) const;
  /// Of a metric of lists: the mean over the user's lists, one value per user; NaN for users who are left out.
  std::vector<double> user_values(const MetricInfo& metric) const;
  /// The sums of all pairs, with each user counting that often.
  PairSums pair_sums(Counts counts = {}) const;

 private:
  const ItemFacts* items_;
  Ranker ranker_;
  int k_;
  std::vector<UserMeans> ranking_;  // the metrics of lists, in the order of the table
  std::vector<PairSums> pairs_;     // (users)
  ShownItems shown_items_;
  std::unique_ptr<PooledAuc> auc_;
};

}  // namespace equipoise
