// A comparison from its data and arms to a run store: settings fixed, protocols linted, trials run.
#pragma once

#include <string>
#include <vector>

#include "compare/outside.h"
#include "compare/plan_params.h"
#include "compare/results.h"
#include "compare/shelf.h"
#include "core/given.h"
#include "core/parallel.h"
#include "core/ranks.h"
#include "doctor/lint.h"
#include "method/method.h"

namespace equipoise {

/// What the linter says of one source.
struct SourceFinding {
  std::string source;
  LintFinding finding;
};

class Comparison {
 public:
  /// Of a plan that is filled but for its sources; the pool and the ranks must outlive it. Rank 0 plans and runs, the
  /// others help.
  Comparison(const CacheParams& cache, Pool& pool, Ranks& ranks = single_process())
      : shelf_(cache, pool), pool_(pool), ranks_(ranks) {}

  Plan plan;

  /// A data set's folder as a source, named after the data set; UsageError if the name is taken.
  DataSource folder(const std::string& path, const std::vector<DataSource>& others);
  /// Data that its caller holds as a source.
  DataSource data(std::shared_ptr<const Dataset> data, const std::vector<DataSource>& others);

  /// A method of the caller's own as a further arm; UsageError if it cannot be one.
  void add(OutsideArm method);
  /// What was given by name is the same for every arm that has such a parameter, and is not searched.
  void fix_settings(Given& given);
  /// What the data's labels decide: the metric where it is auto, and which arms cannot be run; the listener is told.
  void fit_to_data();
  /// Takes in what a store in that folder holds already (see grown).
  void grow(const std::string& folder);
  /// UsageError if a value that the search shall try is none of its parameter's, if no arm has such a parameter, or if
  /// an arm has too few epochs whatever is tried.
  void check_values() const;
  /// What the linter says of the plan; `allow` as of `lint`.
  std::vector<SourceFinding> findings(const std::string& allow);
  /// Findings of the linter become warnings and part of the plan; CheckError if one refuses. `allow` names rules that
  /// may not, or "all".
  void lint(const std::string& allow);
  /// Runs what is not run yet into the store in that folder.
  RunStore run(const std::string& folder);
  /// What the other ranks do instead of all this.
  void help();
  /// Warns of what only trained models show.
  void warn_of_accuracy(const Results& results);

 private:
  void say_how_measured();
  void check_labels_of(const std::string& folder);
  void leave_out(FunctionRef<bool(const Needs&)> lacks, const char* why);
  void check_outside(const std::string& folder) const;
  void check_warm_ups() const;

  DataShelf shelf_;
  Pool& pool_;
  Ranks& ranks_;
  OutsideArms outside_;
};

/// The arms of a comparison: baselines first, then base, which the others are compared with, then those asked for
/// ("all", or names with commas between).
std::vector<std::string> methods_to_compare(const std::string& asked);

}  // namespace equipoise
