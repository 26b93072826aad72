// The table of the linter's rules, and the checks in their order.
#include "doctor/lint.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "doctor/lint_checks.h"

namespace equipoise {

namespace {

std::vector<LintRule> make_rules() {
  return {
      {"no-test", "there is no test part; refuses", true},
      {"no-valid", "there is no validation part to choose on; refuses", true},
      {"test-in-train", "pairs of test occur in train; refuses", true},
      {"valid-in-train", "pairs of valid occur in train; refuses", true},
      {"valid-in-test", "valid is test, or shares pairs with it; refuses", true},
      {"constant-label",
       "train, valid or test has one label only (test may have no 0 where other items are negatives, and a log with "
       "positives only none at all); refuses",
       true},
      {"few-labels",
       fmt::format("valid or test has fewer than {} positives or negatives; refuses below {}", kFewLabels,
                   kFewestLabels),
       true},
      {"conflicting-labels", "a pair occurs in one part several times, with both labels; warns", false},
      {"cold-test",
       fmt::format("more than {:.0f}% of the test rows are of users, or of items, that train does not have; warns",
                   100 * kColdShare),
       false},
      {"test-not-uniform",
       fmt::format("valid and test are called unbiased, but their items are not uniform (p ≤ {}, spread beyond chance "
                   "above {} of the mean); warns",
                   kNotUniformP, kNotUniformSpread),
       false},
      {"fixed-metric",
       "a metric is the same for every model under the protocol and k; refuses if it is tested or chooses", true},
      {"few-users",
       fmt::format("a ranking metric can differ for fewer than {} users, or {:.0f}% of them; refuses below {} if it is "
                   "tested or chooses",
                   kFewUsers, 100 * kFewUsersShare, kFewestLabels),
       true},
      {"accuracy-of-one-label",
       fmt::format("one answer for all pairs has an accuracy of {:.0f}% or more; refuses if acc is tested or chooses",
                   100 * kOneLabel),
       true},
      {"accuracy-below-one-label", "a trained model's accuracy is below that of one answer for all pairs; warns",
       false},
      {"random-sample",
       "methods that learn from half of valid: warns which they are, and refuses where valid is no random sample",
       true},
      {"constant-column", "a feature, weight or propensity has one value for all; warns", false},
      {"propensity-range", "a propensity is not in (0, 1]; refuses if a method uses the given ones", true},
      {"propensities-from-test",
       "the given propensities are made of test labels, by their ratio or as provenance says; refuses if a method uses "
       "them",
       true},
  };
}

const LintRule& find_rule(std::string_view name) {
  std::vector<std::string> known;
  for (const LintRule& rule : lint_rules()) {
    if (rule.name == name) return rule;
    known.push_back(rule.name);
  }
  throw UsageError(fmt::format("the linter has no rule '{}'{}", name, suggest(name, known)));
}

}  // namespace

const std::vector<LintRule>& lint_rules() {
  static const std::vector<LintRule> table = make_rules();
  return table;
}

bool named(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Protocol> protocols_of(const Dataset& data, const PlannedComparison& planned) {
  std::vector<Protocol> out;
  for (const std::string& name : planned.protocols) out.push_back(parse_protocol(name));
  if (out.empty()) out.push_back(parse_protocol(own_protocol(data, Part::test)));
  return out;
}

void LintReport::put(std::string_view rule, bool refuses, std::string sentence) {
  EQUIPOISE_ASSERT(find_rule(rule).refuses || !refuses);
  findings_.push_back({std::string(rule), std::move(sentence), refuses});
}

std::vector<LintFinding> lint(const Dataset& data, const PlannedComparison& planned) {
  LintReport report;
  check_parts(data, planned, report);
  check_metrics(data, planned, report);
  check_columns(data, planned, report);
  return report.take();
}

std::vector<LintFinding> allow(std::vector<LintFinding> findings, const std::vector<std::string>& rules) {
  for (const std::string& name : rules) find_rule(name);
  for (LintFinding& finding : findings) finding.refuses &= !named(rules, finding.rule);
  return findings;
}

}  // namespace equipoise
