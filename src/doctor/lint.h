// The protocol linter: what is wrong with a data set and a plan of comparison, before anything is trained.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

/// What a comparison is about to do, as far as the linter must know it.
struct PlannedComparison {
  std::vector<std::string> protocols = {};     // none = the test part's own
  std::vector<std::string> metrics = {};       // those of the table whose differences are tested
  std::string choice = "auc";                  // the metric that chooses on valid, on the items that training judges by
  int k = 10;                                  // of both
  std::vector<std::string> methods = {};       // by name
  std::vector<std::string> propensities = {};  // every value that `propensity` may take
};

struct LintRule {
  std::string name;      // in kebab-case, for --allow
  std::string sentence;  // what it looks for, with its thresholds
  bool refuses;          // whether a finding of it may refuse; the sentence says when
};

struct LintFinding {
  std::string rule;
  std::string sentence;  // one line: what, with figures, and what to do
  bool refuses;
};

/// Every rule, for the help, the docs and --allow.
const std::vector<LintRule>& lint_rules();

/// Nothing = nothing to say. Depends on its arguments alone. UsageError on an unknown protocol, metric or method.
std::vector<LintFinding> lint(const Dataset& data, const PlannedComparison& planned);

/// Findings of the rules named refuse no longer. UsageError, with a suggestion, on a name that is no rule's.
std::vector<LintFinding> allow(std::vector<LintFinding> findings, const std::vector<std::string>& rules);

/// For when `acc` of a trained model on test is known: a finding if answering every pair alike would have been better.
std::optional<LintFinding> lint_accuracy(const Dataset& data, const std::string& protocol, const std::string& model,
                                         double accuracy);

}  // namespace equipoise
