// Walks the candidates block by block, tallies them, and resamples users for the intervals.
#include "eval/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/error.h"
#include "core/named.h"
#include "core/random.h"
#include "core/text.h"
#include "eval/bootstrap.h"
#include "eval/candidates.h"
#include "eval/tally.h"
#include "eval/whole_lists.h"
#include "recommender/shared_scorer.h"

namespace equipoise {

namespace {

std::vector<int> all_k(const EvaluationPlan& plan) {
  std::vector<int> out = {plan.k};
  for (const int k : plan.more_k) {
    if (std::find(out.begin(), out.end(), k) == out.end()) out.push_back(k);
  }
  return out;
}

void check(const EvaluationPlan& plan) {
  for (const int k : all_k(plan)) {
    if (k >= 1 && k <= kMostPlaces) continue;
    throw UsageError(fmt::format("k is {}, expected a whole number from 1 to {}", k, kMostPlaces));
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
                       const EvaluationPlan& plan, Pool& pool, Ranks& ranks) {
  Tally tally(facts, candidates.users(), all_k(plan),
              make_auc(SharedScorer(scorer, ranks), candidates, plan.most_kept_pairs), plan.count_empty);
  const Share own = share_of(static_cast<std::int64_t>(candidates.users()), ranks);
  const auto end = static_cast<std::size_t>(own.end);
  ListBlock block;
  std::vector<float> scores;
  for (auto slot = static_cast<std::size_t>(own.begin); slot < end; block.clear()) {
    slot = candidates.fill(slot, kBlockPairs, block, end);
    score_block(scorer, candidates.data(), block, scores);
    tally.add(block, scores, pool);
  }
  tally.gather(ranks);
  return tally;
}

/// Adds the whole lists of the users, or of a sample of them; how many those are.
std::size_t add_shown(const Scorer& scorer, const Candidates& candidates, const ItemFacts& facts,
                      const EvaluationPlan& plan, Tally& tally) {
  const Dataset& data = candidates.data();
  const auto slots = sample_of_users(candidates.users(), data.items.size(), kShownLimits, "users of whole lists");
  const std::vector<int> k = all_k(plan);
  std::vector<std::int32_t> users;
  for (const std::size_t slot : slots) users.push_back(candidates.user(slot));
  for_whole_lists(scorer, data, facts, users, *std::max_element(k.begin(), k.end()),
                  [&](std::size_t u, std::span<const std::int32_t> first) { tally.add_shown(slots[u], first); });
  return slots.size();
}

/// Replicate r draws from its own stream, so that the number of threads and ranks changes nothing.
std::vector<MetricValues> bootstrap(const Tally& tally, std::size_t users, const EvaluationPlan& plan, Pool& pool,
                                    Ranks& ranks) {
  const std::size_t width = tally.metrics().size();
  const Share own = share_of(plan.replicates, ranks);
  std::vector<double> mine(static_cast<std::size_t>(own.size()) * width);  // (replicates × metrics)
  pool.run(static_cast<std::size_t>(own.size()), [&](std::size_t r) {
    Stream stream(plan.seed, "bootstrap users", static_cast<std::uint64_t>(own.begin) + r);
    const MetricValues values = tally.values(resample(users, stream));
    std::copy(values.begin(), values.end(), mine.begin() + static_cast<std::ptrdiff_t>(r * width));
  });
  const std::vector<double> all = gather_all<double>(ranks, mine);
  std::vector<MetricValues> replicates;
  for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(width)) {
    replicates.emplace_back(at, at + static_cast<std::ptrdiff_t>(width));
  }
  return replicates;
}

// Of scores that are no chances, what is made of chances is not defined.
void add_metrics(const Tally& tally, const std::vector<MetricValues>& replicates, bool chances, Evaluation& result) {
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  const MetricValues values = tally.values();
  for (std::size_t m = 0; m < values.size(); ++m) {
    const auto& [metric, place, name] = tally.metrics()[m];
    if (!chances && std::holds_alternative<OfPairSums>(metric->function)) {
      result.resampled[name].assign(replicates.size(), kUndefined);
      result.metrics.push_back({name, kUndefined, kUndefined, kUndefined});
      continue;
    }
    std::vector<double>& resampled = result.resampled[name];
    for (const MetricValues& replicate : replicates) resampled.push_back(replicate[m]);
    const Interval range = interval(metric->interval, resampled, values[m]);
    result.metrics.push_back({name, values[m], range.low, range.high});
  }
}

std::string split_rule(const Dataset& data) {
  const Json* rule = data.provenance.find("split");
  return rule != nullptr && rule->is_string() ? rule->as_string() : "";
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

Evaluation evaluate(const Scorer& scorer, const Dataset& data, const EvaluationPlan& plan, Pool& pool, Ranks& ranks) {
  check(plan);
  const Candidates candidates(data, parse_protocol(plan.protocol), plan.part, plan.seed);
  const ItemFacts facts(data);
  Tally tally = tally_candidates(scorer, candidates, facts, plan, pool, ranks);
  Evaluation result;
  result.list_users = add_shown(SharedScorer(scorer, ranks), candidates, facts, plan, tally);
  tally.finish();
  if (scorer.gives_chances()) result.calibration = calibration(tally.pair_sums());
  result.protocol = candidates.protocol().name();
  result.k = plan.k;
  result.more_k = all_k(plan);
  result.more_k.erase(result.more_k.begin());
  result.count_empty = plan.count_empty;
  result.part = plan.part;
  result.split = split_rule(data);
  result.seed = plan.seed;
  result.replicates = plan.replicates;
  result.lists = candidates.lists();
  result.lists_within_k = candidates.lists_within(plan.k);
  result.pairs = candidates.pairs();
  result.users_left_out = candidates.users_left_out();
  result.users = candidates.user_numbers();
  for (std::size_t u = 0; u < candidates.users(); ++u) result.user_lists.push_back(candidates.shape(u).lists);
  result.per_user = tally.user_values();
  add_metrics(tally, bootstrap(tally, candidates.users(), plan, pool, ranks), scorer.gives_chances(), result);
  return result;
}

const MetricResult& Evaluation::at(std::string_view metric) const { return find_named(metrics, metric, "metric"); }

std::string caption(const Evaluation& evaluation) { return caption(to_json(evaluation)); }

std::string caption(const Json& summary) {
  const auto text = [&](const char* key) {
    const Json* value = summary.find(key);  // earlier stores lack some
    return value != nullptr && value->is_string() ? value->as_string() : std::string();
  };
  std::string out = fmt::format("Protocol {}, {} part", text("protocol"), text("part"));
  if (!text("split").empty()) out += fmt::format(" (parts: {})", text("split"));
  if (text("ndcg_empty") == kEmptyIsOne) out += "; users without a positive count as NDCG 1";
  if (const Json* lists = summary.find("list_users")) {
    out += fmt::format(
        "; coverage, gini and mean_popularity are of whole lists (all items but those of train) of {} of {} users",
        thousands(lists->as_int()), thousands(summary.at("users").as_int()));
  }
  return out + ".";
}

Json to_json(const Evaluation& evaluation) {
  Json more = Json::array();
  for (const int k : evaluation.more_k) more.push_back(k);
  Json metrics = Json::object();
  for (const MetricResult& metric : evaluation.metrics) {
    metrics[metric.name] = Json::object({{"mean", number_or_null(metric.mean)},
                                         {"low", number_or_null(metric.low)},
                                         {"high", number_or_null(metric.high)}});
  }
  return Json::object({{"protocol", evaluation.protocol},
                       {"k", evaluation.k},
                       {"more_k", more},
                       {"part", to_string(evaluation.part)},
                       {"split", evaluation.split},
                       {"users", static_cast<std::int64_t>(evaluation.users.size())},
                       {"users_left_out", static_cast<std::int64_t>(evaluation.users_left_out)},
                       {"ndcg_empty", evaluation.count_empty ? kEmptyIsOne : kEmptyLeftOut},
                       {"list_users", static_cast<std::int64_t>(evaluation.list_users)},
                       {"lists", static_cast<std::int64_t>(evaluation.lists)},
                       {"lists_within_k", static_cast<std::int64_t>(evaluation.lists_within_k)},
                       {"pairs", static_cast<std::int64_t>(evaluation.pairs)},
                       {"trained_on", evaluation.trained_on},
                       {"seed", evaluation.seed},
                       {"replicates", evaluation.replicates},
                       {"metrics", metrics}});
}

}  // namespace equipoise
