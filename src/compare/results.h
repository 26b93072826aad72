// What the runs of a store say: means, intervals and paired tests, made from the stored values alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare/store.h"

namespace equipoise {

/// An arm compared with another one on the same data, protocol and metric (see eval/contrast.h).
struct Versus {
  std::string other;
  double difference = 0;
  double standard_error = 0;  // of users and of seeds together
  double low = 0, high = 0;   // 95% interval of the difference, not corrected; NaN where nothing varies
  double p = 1;
  double p_holm = 1;  // corrected for all tests of its family
  double effect = 0;  // difference ÷ deviation between users; NaN where every run has users of its own
  bool significant = false;
};

/// One line of a table.
struct Cell {
  std::string source, arm, protocol, metric;
  int runs = 0;               // final runs that came to an end
  int trials = 0;             // settings tried
  int failed = 0;             // of those and of the final runs
  double mean = 0;            // over seeds; NaN without runs
  double standard_error = 0;  // over seeds; NaN with one
  double low = 0, high = 0;   // 95% interval over users of the mean over seeds, by the metric's own rule
  double seconds_per_epoch = 0;
  double seed_range = 0;  // largest − smallest of the runs
  double user_error = 0;  // standard error over users of one run's value, the mean over runs; NaN without runs
  Settings chosen;
  std::optional<Versus> base;  // against the arm `base` on the same base model

  /// The seeds differ by more than ten errors over users: training decides more than what is measured, and the mean
  /// says little of the next run.
  bool seeds_disagree() const { return runs > 1 && user_error > 0 && seed_range > 10 * user_error; }
};
/// What a flagged arm means, as tables say it.
inline constexpr const char* kSeedsDisagree =
    "its seeds disagree by more than ten standard errors over users: how training went decides more than the arm";

/// Two arms with the same base model, or an arm and a baseline.
struct PairTest {
  std::string source, arm;
  Versus versus;
};

/// The final runs of a store, read once.
class Results {
 public:
  explicit Results(const RunStore& store);

  const Plan& plan() const { return plan_; }
  const RunStore& store() const { return store_; }
  /// The protocols that a source's final runs were measured under, in the order asked for.
  std::vector<std::string> protocols(const std::string& source) const;
  /// What belongs under a table of these: protocol, part, how it was made (see eval/evaluation.h).
  std::string caption(const std::string& source, const std::string& protocol) const;
  /// The arms on a source, in the plan's order. One Holm family: all arms against `base`.
  std::vector<Cell> cells(const std::string& source, const std::string& protocol, const std::string& metric) const;
  /// Every pair of arms with the same base model, baselines with all; one Holm family.
  std::vector<PairTest> pair_tests(const std::string& source, const std::string& protocol,
                                   const std::string& metric) const;
  /// A metric of an arm's final runs, by the number of the repeat.
  std::map<int, double> values(const std::string& source, const std::string& arm, const std::string& protocol,
                               const std::string& metric) const;
  /// Final runs of an arm on a source, failed ones too.
  const std::vector<StoredTrial>& runs(const std::string& source, const std::string& arm) const;

 private:
  Cell cell(const DataSource& source, const Arm& arm, const std::string& protocol, const std::string& metric) const;
  std::optional<Versus> versus(const DataSource& source, const Arm& arm, const Arm& other, const std::string& protocol,
                               const std::string& metric) const;

  const RunStore& store_;
  Plan plan_;
  std::map<std::pair<std::string, std::string>, std::vector<StoredTrial>> runs_;   // (source, arm)
  std::map<std::pair<std::string, std::string>, std::vector<StoredTrial>> tried_;  // (source, arm)
};

}  // namespace equipoise
