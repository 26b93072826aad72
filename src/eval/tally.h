// Everything an evaluation keeps of the scored lists, user by user, and the metrics that come from it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "eval/auc.h"
#include "eval/candidates.h"
#include "eval/exposure.h"
#include "eval/metric.h"
#include "eval/pooled.h"
#include "eval/ranking.h"
#include "recommender/scorer.h"

namespace equipoise {

/// Scores of a block's pairs. CheckError, naming the pair, if one is not finite.
void score_block(const Scorer& scorer, const Dataset& data, const ListBlock& block, std::vector<float>& scores);

class Tally {
 public:
  /// `auc` decides how the AUC over all pairs is computed.
  Tally(const Dataset& data, std::size_t users, int k, std::unique_ptr<PooledAuc> auc);

  /// Adds scored lists, those of one user after those of the one before. The lists are measured on the pool.
  void add(const ListBlock& block, std::span<const float> scores, Pool& pool);
  void finish();

  /// All metrics with each user counting that often (empty = once); NaN where a metric is not defined.
  MetricValues values(Counts counts = {}) const;
  /// Mean over the user's lists, one value per user; NaN for users who are left out.
  std::vector<double> user_values(Metric metric) const;
  /// The sums of all pairs, with each user counting that often.
  PairSums pair_sums(Counts counts = {}) const;

 private:
  double ranking_mean(Metric metric, Counts counts) const;

  Ranker ranker_;
  int k_;
  std::vector<RankingValues> ranking_;  // (users) sums, after finish means, over the lists where a value is defined
  std::vector<RankingValues> defined_;  // (users) in how many lists
  std::vector<PairSums> pairs_;         // (users)
  ShownItems exposure_;
  std::unique_ptr<PooledAuc> auc_;
};

}  // namespace equipoise
