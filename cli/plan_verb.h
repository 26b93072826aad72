// What compare and study share: flags of the search and the runs, the linter, running a plan, its tables.
#pragma once

#include <string>
#include <vector>

#include "cli.h"
#include "compare/plan.h"
#include "compare/results.h"
#include "compare/trial.h"

namespace equipoise::cli {

class PlanVerb : public Verb {
 public:
  PlanVerb(CLI::App& app, const std::string& name, const std::string& sentence, const std::string& example,
           const Plan& defaults, const std::string& default_bases);

 protected:
  /// The plan with what the flags say; arms and sources are the verb's to add.
  Plan& plan() { return plan_; }
  std::vector<std::string> bases() const;
  /// Values of the flags go into the plan. Called once, before sources and arms are added.
  void read_flags();
  /// A data set's folder as a source, named after the data set; UsageError if the name is taken.
  void add_folder(const std::string& folder, std::vector<DataSource>& sources);
  /// Lints, runs what is not run yet, prints the results.
  void run_and_print();

 private:
  void describe(Params& params);
  void fix_settings();
  void check_values() const;
  void lint_sources(DataShelf& shelf);
  void warn_of_accuracy(const Results& results, DataShelf& shelf) const;

  Plan plan_;
  std::string bases_, protocols_, allow_;
  std::vector<std::string> values_;
  std::string out_;
};

/// Tables for people: one for each source and protocol.
void print_results(const Results& results);
/// plan, cells (all metrics) and pairs of the plan's metric.
Json results_json(const Results& results);
/// The words between commas, each once.
std::vector<std::string> listed(const std::string& list);
/// Adds those that are not in the list.
void add_new(const std::vector<std::string>& more, std::vector<std::string>& list);
/// The command as it could be typed again, with the variables that it was given.
std::string command_line();

}  // namespace equipoise::cli
