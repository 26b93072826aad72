// The public C++ face of comparisons, studies and reports; a second library, because these need SQLite.
#pragma once

#include <equipoise/equipoise.h>

namespace equipoise {

/// What a comparison or a study is told.
struct LabOptions {
  std::string out = {};  // the folder of the run store; what is there already is not run again
  std::string methods =
      "all";  // or some with commas between; baselines and base are always there; of a comparison only
  Parameters parameters =
      {};  // bases, budget, seeds, search, metric, k, …; others are fixed for every arm that has them
  std::vector<std::string> values = {};  // "gamma=0.1,1": what a search tries for a parameter
  int threads = 1;                       // trials at a time; never changes a result
  Callbacks callbacks = {};
};

/// One line of a table: an arm on a data set, under a protocol, by a metric.
struct ArmResult {
  std::string data, arm, protocol, metric = {};
  int runs = 0;
  double mean = 0, standard_error = 0;  // over seeds
  double low = 0, high = 0;             // 95% interval over users
  /// Against `base` on the same base model; NaN where there is no such comparison.
  double difference = 0, p = 0, p_holm = 0, effect = 0;
  bool significant = false;  // after Holm's correction over the table
};

/// A run store, only read; copies share it.
class Runs {
 public:
  static Runs open(const std::string& folder);

  /// The lines of all data sets and protocols by that metric ("ndcg@20" where k has several); "" = the one that
  /// was tested.
  std::vector<ArmResult> table(const std::string& metric = "") const;
  /// What the comparison chose, for Model::train: an arm by its label or METHOD:BASE ("" = the one that validation
  /// prefers), on a data set by its name ("" = the only one); with the seed of its first final run.
  TrainOptions chosen(const std::string& arm = "", const std::string& data = "") const;
  /// Everything, as `equipoise compare --json` and `equipoise runs --json` print it.
  std::string results_json() const;
  std::string trials_json() const;
  /// One self-contained page; tables as Markdown; tables as LaTeX.
  std::string html() const;
  std::string markdown() const;
  std::string latex() const;

 private:
  struct Hidden;
  explicit Runs(std::shared_ptr<const Hidden> hidden);
  std::shared_ptr<const Hidden> hidden_;
};

/// Methods against each other on the same data with the same budget, tested. Failure of kind check_failed where the
/// linter finds that it would be worthless, unless the parameter `allow` names the rule.
Runs compare(const std::vector<Data>& data, const LabOptions& options);
/// One of the paper's studies ("ablation", "bias", …), on data sets where the study takes some, or on simulated logs.
Runs study(const std::string& name, const std::vector<Data>& data, const LabOptions& options);
/// The groups of parameters of comparisons and studies.
std::vector<ParameterGroup> lab_parameter_groups();

}  // namespace equipoise
