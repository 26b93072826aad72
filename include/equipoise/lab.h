// The public C++ face of comparisons, studies and reports; a second library, because these need SQLite.
#pragma once

#include <equipoise/equipoise.h>

namespace equipoise {

/// A method of the caller's own, which takes part in a comparison like any other: the same data, budget, seeds, choice
/// on the validation part and tests. The thread that calls `compare` calls it, and no other does, one call at a time.
/// What it throws is why a trial failed; a Failure of kind interrupted ends the comparison.
struct OutsideMethod {
  /// A parameter that is searched. Of numbers a search may try values in between.
  struct Searched {
    std::string name = {};
    std::vector<std::string> values = {};
    std::string kind = "text";  // "number", "whole number", "text"
  };
  /// Gives each pair (users[k], items[k]) of numbers (places in Data::users and Data::items) a score, the higher the
  /// better.
  using Score = std::function<void(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
                                   std::span<float> out)>;

  std::string name = {};  // of the arm; the run store knows it by that
  std::vector<Searched> search = {};
  bool scores_are_chances = false;  // whether a score is the logit of a chance; otherwise it only puts items in order
  /// Trains on data that has no test part, with searched settings (those that are not there are the method's own
  /// defaults) and a seed.
  std::function<Score(const Data& data, const Parameters& settings, std::uint64_t seed)> train = {};
};

/// What a comparison or a study is told.
struct LabOptions {
  std::string out = {};  // the folder of the run store; what is there already is not run again
  std::string methods =
      "all";  // or some with commas between; baselines and base are always there; of a comparison only
  Parameters parameters =
      {};  // bases, budget, seeds, search, metric, k, …; others are fixed for every arm that has them
  std::vector<std::string> values = {};     // "gamma=0.1,1": what a search tries for a parameter
  std::vector<OutsideMethod> outside = {};  // further arms; of a comparison only
  int threads = 1;                          // trials at a time; never changes a result
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
  bool significant = false;      // after Holm's correction over the table
  std::string against = {};      // the arm that it was compared with; "" = none
  int trials = 0, failed = 0;    // settings tried; those and final runs that failed
  Parameters chosen = {};        // what validation prefers
  double difference_error = 0;   // standard error of the difference, of users and of seeds together
  double seconds_per_epoch = 0;  // NaN where nothing is trained by us
};

/// Two arms compared with each other, by the metric that was tested.
struct PairResult {
  std::string data, protocol, arm, against = {};
  double difference = 0, standard_error = 0, p = 0, p_holm = 0, effect = 0;
  bool significant = false;
};

/// One trial of a run store: a setting of the search, or a final run.
struct TrialResult {
  std::string data, arm, stage = {};  // stage: search or final
  int rung = 0, number = 0;
  std::uint64_t seed = 0;
  Parameters settings = {};  // what the search chose
  bool failed = false;
  std::string error = {};
  double valid = 0;  // the best validation metric; NaN where it failed
  double seconds = 0;
  std::string fingerprint, version = {};
};

/// The metrics of a final run, user by user.
struct UserResults {
  std::string data, arm, protocol = {};
  std::uint64_t seed = 0;
  std::vector<std::int32_t> users = {};  // by number: places in Data::users
  /// Ranking metric → (users) its value, NaN for users that are left out.
  std::map<std::string, std::vector<double>> values = {};
};

/// What the linter found.
struct Finding {
  std::string data, rule, sentence = {};
  bool refuses = false;  // whether `compare` would refuse
};

/// A run store, only read; copies share it.
class Runs {
 public:
  static Runs open(const std::string& folder);

  /// The lines of all data sets and protocols by that metric ("ndcg@20" where k has several); "" = the one that
  /// was tested.
  std::vector<ArmResult> table(const std::string& metric = "") const;
  /// The metrics that `table` knows, the one that was tested first.
  std::vector<std::string> metrics() const;
  /// Every two arms on the same base model, and baselines and outside methods with all.
  std::vector<PairResult> pairs() const;
  /// All trials that are kept, and how many there shall be.
  std::vector<TrialResult> trials() const;
  std::size_t planned_trials() const;
  std::vector<UserResults> per_user() const;
  /// What the linter found before anything was run.
  std::vector<std::string> findings() const;
  /// What the comparison chose, for Model::train: an arm by its label or METHOD:BASE ("" = the one that validation
  /// prefers), on a data set by its name ("" = the only one); with the seed of its first final run.
  TrainOptions chosen(const std::string& arm = "", const std::string& data = "") const;
  /// Everything, as `equipoise compare --json` and `equipoise runs --json` print it.
  std::string results_json() const;
  std::string trials_json() const;
  /// One self-contained page; tables as Markdown; tables as LaTeX.
  std::string html() const;
  /// The tables of results with a chart of differences, as an element to set into another page, such as a notebook.
  std::string fragment() const;
  std::string markdown() const;
  std::string latex() const;
  /// Every figure of the page as SVG and its data as CSV, into a folder; how many files.
  std::size_t write_figures(const std::string& folder) const;

 private:
  struct Hidden;
  explicit Runs(std::shared_ptr<const Hidden> hidden);
  std::shared_ptr<const Hidden> hidden_;
};

/// What the doctor found (DoctorReport::json) as one self-contained page, or as an element to set into another page.
std::string doctor_page(const std::string& json);
std::string doctor_element(const std::string& json);
/// Values of policies (ValueReport::json) likewise.
std::string value_page(const std::string& json);
std::string value_element(const std::string& json);

/// Methods against each other on the same data with the same budget, tested. Failure of kind check_failed where the
/// linter finds that it would be worthless, unless the parameter `allow` names the rule.
Runs compare(const std::vector<Data>& data, const LabOptions& options);
/// What the linter says of such a comparison, which is not run; `out` is of no account.
std::vector<Finding> lint(const std::vector<Data>& data, const LabOptions& options);
/// One of the paper's studies ("ablation", "bias", …), on data sets where the study takes some, or on simulated logs.
Runs study(const std::string& name, const std::vector<Data>& data, const LabOptions& options);
/// The names of the studies.
std::vector<std::string> study_names();
/// The groups of parameters of comparisons and studies.
std::vector<ParameterGroup> lab_parameter_groups();

}  // namespace equipoise
