// Evaluates a scorer under a protocol: all metrics, with bootstrap intervals over users.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "core/parallel.h"
#include "core/ranks.h"
#include "data/dataset.h"
#include "eval/metric.h"
#include "eval/protocol.h"
#include "recommender/scorer.h"

namespace equipoise {

/// The most pairs that are all kept for the AUC and its exact resamples; above it negatives are streamed (see auc.h).
inline constexpr std::size_t kMostKeptPairs = 2'000'000;
inline constexpr int kMostPlaces = 1'000'000;

/// How one part of a data set is evaluated.
struct EvaluationPlan {
  std::string protocol = "test-items";
  int k = 10;                    // from 1 to kMostPlaces
  std::vector<int> more_k = {};  // where metrics that are cut at k are measured, too
  bool count_empty = false;      // users without a positive count as NDCG 1 instead of being left out
  Part part = Part::test;
  std::uint64_t seed = 1;  // of sampled negatives and resamples
  int replicates = 1000;   // bootstrap resamples; 0 = no intervals
  std::size_t most_kept_pairs = kMostKeptPairs;
};

/// A metric with its 95% interval; NaN where it is not defined.
struct MetricResult {
  std::string name;
  double mean, low, high;
};

/// One bin of predicted probability that pairs fell into.
struct CalibrationBin {
  double probability = 0;     // mean
  double positive_share = 0;  // of those pairs
  double pairs = 0;
};

struct Evaluation {
  std::string protocol;
  int k = 0;
  std::vector<int> more_k;
  bool count_empty = false;
  Part part = Part::test;
  std::uint64_t seed = 0;
  int replicates = 0;
  std::string split;                  // how the parts were made, as the data set says
  std::vector<MetricResult> metrics;  // in the order of the table; then those at more_k, as "ndcg@20"
  std::int64_t trained_on = 0;        // rows of the part whose pair the model was trained on, where that is known
  std::size_t lists = 0, pairs = 0;
  std::size_t lists_within_k = 0;   // lists of at most k items: their recall and precision are the same in every order
  std::size_t users_left_out = 0;   // users without a positive, left out of the ranking metrics
  std::size_t list_users = 0;       // users whose whole lists coverage, gini and popularity are of
  std::vector<std::int32_t> users;  // the evaluated users, ascending
  /// (users) How many lists each has.
  std::vector<std::size_t> user_lists;
  std::map<std::string, std::vector<double>> per_user;   // ranking metric → value per user, NaN where left out
  std::map<std::string, std::vector<double>> resampled;  // metric → its value in each resample of the users
  std::vector<CalibrationBin> calibration;               // ascending, empty bins left out

  /// UsageError if there is no metric of that name.
  const MetricResult& at(std::string_view metric) const;
  double mean(std::string_view metric) const { return at(metric).mean; }
};

/// The metrics of shown items are of the first k of the whole catalogue, without what is in train, whatever the
/// protocol; of many users a sample is drawn. Pooled metrics (auc, acc, log_loss, mse, ece) are over all candidate
/// pairs, where an item that is no positive of the part counts as a negative. Ranking metrics are means over a user's
/// lists, then over users with a positive. UsageError on a bad plan, DataError if the part is empty, CheckError if a
/// score is not finite. The result does not depend on the number of threads, nor on that of the ranks: each scores and
/// ranks for its share of the users, and all have the result.
Evaluation evaluate(const Scorer& scorer, const Dataset& data, const EvaluationPlan& plan, Pool& pool,
                    Ranks& ranks = single_process());

/// Where users without a positive are counted, or left out, as parameters call it.
inline constexpr const char* kEmptyLeftOut = "leave-out";
inline constexpr const char* kEmptyIsOne = "one";

/// The protocol, the part, how it was made, and of which lists what is shown is: what belongs under a table.
std::string caption(const Evaluation& evaluation);
/// The same of what to_json kept.
std::string caption(const Json& summary);

/// Keys: protocol, k, more_k, part, split, users, users_left_out, ndcg_empty, list_users, lists, lists_within_k, pairs,
/// trained_on, seed, replicates, metrics: name → {mean, low, high}. What is not defined is null.
Json to_json(const Evaluation& evaluation);

}  // namespace equipoise
