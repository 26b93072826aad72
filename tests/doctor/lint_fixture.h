// What the tests of the linter share: data with nothing wrong, a plan that uses everything, and what was found.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "doctor/lint.h"
#include "eval/metric.h"
#include "logs.h"
#include "method/methods.h"
#include "propensity/propensity.h"

namespace equipoise::test {

/// Nothing is wrong with it: 400 users with 2 valid and 3 test rows of uniform items, features, propensities.
inline Dataset clean() {
  Dataset data = test::known_log(400);
  data.provenance["test_part"] = "unbiased";
  Stream stream(1, "propensities");
  for (std::size_t t = 0; t < data.train.size(); ++t) {
    data.train.propensity.push_back(static_cast<float>(0.1 + 0.9 * stream.uniform()));
  }
  return data;
}

/// Everything there is, so that no rule is spared: all metrics, all kinds of protocols, propensities, and all methods
/// but those of which there is something to say always.
inline PlannedComparison everything() {
  PlannedComparison out;
  out.protocols = {"test-items", "sampled:5", "full"};
  for (const MetricInfo& entry : metric_table()) out.metrics.push_back(entry.name);
  out.choice = "ndcg";
  out.k = 1;
  for (const MethodEntry& entry : methods()) {
    if (!entry.make()->needs().random) out.methods.emplace_back(entry.name);
  }
  for (const PropensityEntry& entry : propensities()) out.propensities.emplace_back(entry.name);
  return out;
}

using Names = std::set<std::string>;

/// The findings of one rule, each "refuses: …" or "warns: …".
inline std::vector<std::string> said(const std::string& rule, const Dataset& data,
                                     const PlannedComparison& planned = everything()) {
  std::vector<std::string> out;
  for (const LintFinding& finding : lint(data, planned)) {
    EXPECT_EQ(finding.sentence.find('\n'), std::string::npos);
    if (finding.rule == rule) out.push_back((finding.refuses ? "refuses: " : "warns: ") + finding.sentence);
  }
  return out;
}

/// The rules that have findings.
inline Names fired(const Dataset& data, const PlannedComparison& planned = everything()) {
  Names out;
  for (const LintFinding& finding : lint(data, planned)) out.insert(finding.rule);
  return out;
}

inline void expect_one(const std::vector<std::string>& found, const std::string& beginning,
                       const std::string& words = "") {
  ASSERT_EQ(found.size(), 1u) << ::testing::PrintToString(found);
  EXPECT_TRUE(found[0].starts_with(beginning)) << found[0];
  EXPECT_NE(found[0].find(words), std::string::npos) << found[0];
}

}  // namespace equipoise::test
