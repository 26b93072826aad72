// The run store: every trial with its settings, curves and metrics in one SQLite file that survives being killed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "compare/metric_columns.h"
#include "compare/plan.h"
#include "core/json.h"
#include "eval/evaluation.h"

namespace equipoise {

/// The stages of a plan: `search` trials try settings, `finalist` ones run the best of them on more seeds, so that the
/// choice is not luck, `final` runs measure the chosen ones.
inline constexpr const char* kSearch = "search";
inline constexpr const char* kFinalist = "finalist";
inline constexpr const char* kFinal = "final";

/// Which trial of a plan it is.
struct TrialKey {
  std::string source;
  std::string arm;
  std::string stage;  // kSearch, kFinalist or kFinal
  int rung = 0;       // of halving; of a finalist which of its further seeds, from 1; 0 elsewhere
  int number = 0;     // of the setting, or of the repeat

  bool operator<(const TrialKey& other) const {
    return std::tie(source, arm, stage, rung, number) <
           std::tie(other.source, other.arm, other.stage, other.rung, other.number);
  }
};

/// What is kept of one evaluation of one final run. It has the metrics of the program that kept it, which may be fewer
/// or more than this one's.
struct StoredEvaluation {
  std::string protocol;
  Json summary;                     // as equipoise evaluate --json prints it, with "calibration"; in the first one of a
                                    // run also "data" (data/data_card.h) and "examples" (compare/example_lists.h)
  std::vector<std::int32_t> users;  // the evaluated users, by number
  MetricColumns per_user;           // ranking metric → value per user, NaN where left out
  MetricColumns resampled;          // metric → its value in each resample of users
};

struct StoredTrial {
  TrialKey key;
  std::uint64_t seed = 0;
  Settings settings;  // what the search chose; the arm's own fixed ones are in the plan
  bool failed = false;
  std::string error;    // why it failed: training diverged
  double valid = 0;     // the best validation metric; NaN where it failed
  Json training;        // settings, curve, best_epoch, steps, findings: what the trainer left behind
  double seconds = 0;   // of training
  std::string data;     // fingerprint
  std::string version;  // of the program
  std::vector<StoredEvaluation> evaluations;  // empty unless asked for
};

class RunStore {
 public:
  /// Opens the folder's store to add to it, and makes it if it is not there. Its plan grows by the arms, data and seeds
  /// that are new; `plan()` has all. UsageError if another process is adding to it, or if it holds the runs of a plan
  /// that cannot grow into this one, or of an earlier layout.
  static RunStore create(const std::string& folder, const Plan& plan);
  /// The plan of the store there; nothing if there is none.
  static std::optional<Plan> plan_in(const std::string& folder);
  /// To read, also while another process adds, and also an earlier layout. UsageError if there is none.
  static RunStore open(const std::string& folder);
  /// The file in the folder that holds it all.
  static std::string file(const std::string& folder);
  ~RunStore();
  RunStore(RunStore&&) noexcept;
  RunStore& operator=(RunStore&&) = delete;

  Plan plan() const;
  /// Keys of all kept trials, in order.
  std::vector<TrialKey> keys() const;
  /// All trials of a cell and stage, by rung and number.
  std::vector<StoredTrial> trials(const std::string& source, const std::string& arm, const std::string& stage,
                                  bool with_evaluations = false) const;
  /// All or nothing, and on the disk when it returns. May be called from several threads.
  void keep(const StoredTrial& trial);

 private:
  struct State;
  explicit RunStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Calls each(trial) for every trial of the plan: by source, arm and stage.
template <class Each>
void for_each_trial(const RunStore& store, const Plan& plan, const Each& each) {
  for (const DataSource& source : plan.sources) {
    for (const Arm& arm : plan.arms) {
      for (const char* stage : {kSearch, kFinalist, kFinal}) {
        for (const StoredTrial& trial : store.trials(source.name, arm.name, stage)) each(trial);
      }
    }
  }
}

}  // namespace equipoise
