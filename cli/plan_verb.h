// What compare and study share: flags of the search and the runs, the linter, running a plan, its tables.
#pragma once

#include <string>
#include <vector>

#include "cli.h"
#include "compare/comparison.h"

namespace equipoise::cli {

class PlanVerb : public Verb {
 public:
  PlanVerb(CLI::App& app, const std::string& name, const std::string& sentence, const std::string& example,
           const Plan& defaults, const std::string& default_bases);

 protected:
  /// The plan's parameters, and what makes and runs it.
  const PlanParams& params() const { return params_; }
  Comparison& comparison() { return *comparison_; }
  /// Adds arms and sources to a plan that has what the flags say.
  virtual void fill() = 0;
  std::string not_shared() const override { return ""; }

 private:
  /// Rank 0 plans, lints, runs what is not run yet and prints the results; the others run what it hands them.
  void run() final;
  void begin();
  void run_and_print();

  Plan defaults_;
  PlanParams params_;
  CacheParams cache_;
  TrainParams train_;  // declares the flags; every arm has values of its own
  std::unique_ptr<Comparison> comparison_;
  std::vector<std::string> values_;
  std::string out_;
};

/// Tables for people: one for each source and protocol.
void print_results(const Results& results);
/// The command as it could be typed again, with the variables that it was given.
std::string command_line();

}  // namespace equipoise::cli
