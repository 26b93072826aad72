// Walks the candidates block by block, tallies them, and resamples users for the intervals.
#include "eval/evaluation.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "core/error.h"
#include "core/named.h"
#include "core/random.h"
#include "eval/bootstrap.h"
#include "eval/candidates.h"
#include "eval/tally.h"

namespace equipoise {

namespace {

void check(const EvaluationPlan& plan) {
  if (plan.k < 1 || plan.k > kMostPlaces) {
    throw UsageError(fmt::format("k is {}, expected a whole number from 1 to {}", plan.k, kMostPlaces));
  }
  if (plan.replicates < 0) {
    throw UsageError(fmt::format("replicates is {}, expected 0 or more", plan.replicates));
  }
}

/// The positives of all lists with their scores.
std::vector<StreamedAuc::Positive> score_positives(const Scorer& scorer, const Candidates& candidates) {
  ListBlock positives;
  for (std::size_t slot = 0; slot < candidates.users(); ++slot) candidates.append_positives(slot, positives);
  std::vector<float> scores;
  score_block(scorer, candidates.data(), positives, scores);
  std::vector<StreamedAuc::Positive> out;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    out.push_back({scores[p], static_cast<std::uint32_t>(positives.slot[p])});
  }
  return out;
}

std::unique_ptr<PooledAuc> make_auc(const Scorer& scorer, const Candidates& candidates, std::size_t most_kept) {
  if (candidates.pairs() <= most_kept) return std::make_unique<ExactAuc>();
  return std::make_unique<StreamedAuc>(score_positives(scorer, candidates), candidates.users());
}

Tally tally_candidates(const Scorer& scorer, const Candidates& candidates, const ItemFacts& facts,
                       const EvaluationPlan& plan, Pool& pool) {
  Tally tally(facts, candidates.users(), plan.k, make_auc(scorer, candidates, plan.most_kept_pairs));
  ListBlock block;
  std::vector<float> scores;
  for (std::size_t slot = 0; slot < candidates.users(); block.clear()) {
    slot = candidates.fill(slot, kBlockPairs, block);
    score_block(scorer, candidates.data(), block, scores);
    tally.add(block, scores, pool);
  }
  tally.finish();
  return tally;
}

/// Replicate r draws from its own stream, so that the number of threads changes nothing.
std::vector<MetricValues> bootstrap(const Tally& tally, std::size_t users, const EvaluationPlan& plan, Pool& pool) {
  std::vector<MetricValues> replicates(static_cast<std::size_t>(plan.replicates));
  pool.run(replicates.size(), [&](std::size_t r) {
    Stream stream(plan.seed, "bootstrap users", r);
    replicates[r] = tally.values(resample(users, stream));
  });
  return replicates;
}

std::vector<CalibrationBin> calibration(const PairSums& sums) {
  std::vector<CalibrationBin> bins;
  for (std::size_t b = 0; b < kCalibrationBins; ++b) {
    if (sums.count[b] == 0) continue;
    bins.push_back(
        {(sums.gap[b] + sums.positives[b]) / sums.count[b], sums.positives[b] / sums.count[b], sums.count[b]});
  }
  return bins;
}

}  // namespace

Evaluation evaluate(const Scorer& scorer, const Dataset& data, const EvaluationPlan& plan, Pool& pool) {
  check(plan);
  const Candidates candidates(data, parse_protocol(plan.protocol), plan.part, plan.seed);
  const ItemFacts facts(data);
  const Tally tally = tally_candidates(scorer, candidates, facts, plan, pool);
  const MetricValues values = tally.values();

  const std::vector<MetricValues> replicates = bootstrap(tally, candidates.users(), plan, pool);

  Evaluation result;
  result.calibration = calibration(tally.pair_sums());
  result.protocol = candidates.protocol().name();
  result.k = plan.k;
  result.part = plan.part;
  result.seed = plan.seed;
  result.replicates = plan.replicates;
  result.lists = candidates.lists();
  result.lists_within_k = candidates.lists_within(plan.k);
  result.pairs = candidates.pairs();
  result.users_left_out = candidates.users_left_out();
  result.users = candidates.user_numbers();
  for (std::size_t m = 0; m < values.size(); ++m) {
    const MetricInfo& metric = metric_table()[m];
    std::vector<double>& resampled = result.resampled[metric.name];
    for (const MetricValues& replicate : replicates) resampled.push_back(replicate[m]);
    const Interval range = interval(metric.interval, resampled, values[m]);
    result.metrics.push_back({metric.name, values[m], range.low, range.high});
    if (metric.per_list()) result.per_user[metric.name] = tally.user_values(metric);
  }
  return result;
}

const MetricResult& Evaluation::at(std::string_view metric) const { return find_named(metrics, metric, "metric"); }

Json to_json(const Evaluation& evaluation) {
  Json metrics = Json::object();
  for (const MetricResult& metric : evaluation.metrics) {
    metrics[metric.name] = Json::object({{"mean", number_or_null(metric.mean)},
                                         {"low", number_or_null(metric.low)},
                                         {"high", number_or_null(metric.high)}});
  }
  return Json::object({{"protocol", evaluation.protocol},
                       {"k", evaluation.k},
                       {"part", to_string(evaluation.part)},
                       {"users", static_cast<std::int64_t>(evaluation.users.size())},
                       {"users_left_out", static_cast<std::int64_t>(evaluation.users_left_out)},
                       {"lists", static_cast<std::int64_t>(evaluation.lists)},
                       {"lists_within_k", static_cast<std::int64_t>(evaluation.lists_within_k)},
                       {"pairs", static_cast<std::int64_t>(evaluation.pairs)},
                       {"trained_on", evaluation.trained_on},
                       {"seed", evaluation.seed},
                       {"replicates", evaluation.replicates},
                       {"metrics", metrics}});
}

}  // namespace equipoise
