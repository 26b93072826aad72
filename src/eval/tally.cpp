// Adding scored lists to the tally, and reading the metrics from it.
#include "eval/tally.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace equipoise {

namespace {

std::vector<double> train_counts(const Dataset& data) {
  std::vector<double> counts(static_cast<std::size_t>(data.items.size()));
  for (const std::int32_t item : data.train.item) counts[static_cast<std::size_t>(item)] += 1;
  return counts;
}

}  // namespace

void score_block(const Scorer& scorer, const Dataset& data, const ListBlock& block, std::vector<float>& scores) {
  scores.resize(block.pairs());
  scorer.score(block.user, block.item, scores);
  for (std::size_t p = 0; p < scores.size(); ++p) {
    if (!std::isfinite(scores[p])) {
      throw CheckError(fmt::format("the score of user '{}' and item '{}' is {}, expected a finite number",
                                   data.users.name(block.user[p]), data.items.name(block.item[p]), scores[p]));
    }
  }
}

Tally::Tally(const Dataset& data, std::size_t users, int k, std::unique_ptr<PooledAuc> auc)
    : ranker_(k),
      k_(k),
      ranking_(users),
      defined_(users),
      pairs_(users),
      exposure_(train_counts(data), users),
      auc_(std::move(auc)) {}

void Tally::add(const ListBlock& block, std::span<const float> scores, Pool& pool) {
  struct Measured {
    RankingValues ranking;
    PairSums pairs;
    std::vector<std::int32_t> first;
    std::vector<std::uint32_t> places;
  };
  std::vector<Measured> measured(block.lists());
  auto part = [&](auto values, std::size_t l) {
    return values.subspan(block.offset[l], block.offset[l + 1] - block.offset[l]);
  };
  const std::span<const std::uint8_t> labels(block.label);
  const std::span<const std::int32_t> items(block.item);
  pool.run(block.lists(), [&](std::size_t l) {
    measured[l].ranking = ranker_(part(scores, l), part(labels, l));
    measured[l].pairs.add(part(scores, l), part(labels, l));
    measured[l].first = first_items(part(scores, l), part(items, l), k_);
    measured[l].places = auc_->places(part(scores, l), part(labels, l));
  });
  for (std::size_t l = 0; l < block.lists(); ++l) {
    const std::size_t slot = block.slot[l];
    for (std::size_t m = 0; m < kRankingMetrics; ++m) {
      const double value = measured[l].ranking.begin()[m];
      if (std::isnan(value)) continue;
      ranking_[slot].begin()[m] += value;
      defined_[slot].begin()[m] += 1;
    }
    pairs_[slot].add(measured[l].pairs);
    exposure_.add(slot, measured[l].first);
    auc_->add(slot, part(scores, l), part(labels, l), measured[l].places);
  }
}

void Tally::finish() {
  for (std::size_t slot = 0; slot < ranking_.size(); ++slot) {
    // 0/0 = NaN: a user without any list where the value is defined is left out.
    for (std::size_t m = 0; m < kRankingMetrics; ++m) ranking_[slot].begin()[m] /= defined_[slot].begin()[m];
  }
  auc_->finish();
}

double Tally::ranking_mean(Metric metric, Counts counts) const {
  double sum = 0, users = 0;
  for (std::size_t slot = 0; slot < ranking_.size(); ++slot) {
    const double value = ranking_[slot][metric];
    if (std::isnan(value)) continue;
    const double times = counts.empty() ? 1.0 : counts[slot];
    sum += times * value;
    users += times;
  }
  return sum / users;
}

PairSums Tally::pair_sums(Counts counts) const {
  PairSums sums;
  for (std::size_t slot = 0; slot < pairs_.size(); ++slot) {
    if (counts.empty() || counts[slot] > 0) sums.add(pairs_[slot], counts.empty() ? 1.0 : counts[slot]);
  }
  return sums;
}

MetricValues Tally::values(Counts counts) const {
  MetricValues values;
  auto at = [&](Metric metric) -> double& { return values[static_cast<std::size_t>(metric)]; };
  at(Metric::auc) = auc_->value(counts);
  for (const MetricInfo& entry : metric_table()) {
    if (is_ranking(entry.metric)) at(entry.metric) = ranking_mean(entry.metric, counts);
  }
  const PairSums sums = pair_sums(counts);
  at(Metric::acc) = sums.accuracy();
  at(Metric::log_loss) = sums.mean_log_loss();
  at(Metric::mse) = sums.mean_squared();
  at(Metric::ece) = sums.calibration_error();
  const ShownItems::Values shown = exposure_.values(counts);
  at(Metric::coverage) = shown.coverage;
  at(Metric::gini) = shown.gini;
  at(Metric::mean_popularity) = shown.mean_popularity;
  return values;
}

std::vector<double> Tally::user_values(Metric metric) const {
  EQUIPOISE_ASSERT(is_ranking(metric));
  std::vector<double> values;
  for (const RankingValues& user : ranking_) values.push_back(user[metric]);
  return values;
}

}  // namespace equipoise
