// The protocol linter: its table, its rules about parts, and the known faults of public data sets.
#include "doctor/lint.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "data/import_helpers.h"
#include "doctor/lint_fixture.h"
#include "real_data.h"

namespace equipoise {
namespace {

using test::add_row;
using test::clean;
using test::empty_log;
using test::everything;
using test::expect_one;
using test::fired;
using test::Names;
using test::said;

TEST(Lint, NothingToSayOfCleanData) {
  for (const LintFinding& finding : lint(clean(), everything()))
    ADD_FAILURE() << finding.rule << ": " << finding.sentence;
  EXPECT_TRUE(lint(clean(), {.metrics = {"auc"}, .k = 1}).empty());
}

TEST(Lint, RulesHaveNamesOfTheirOwn) {
  Names names;
  for (const LintRule& rule : lint_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_EQ(rule.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string::npos) << rule.name;
    EXPECT_EQ(rule.sentence.find("refuses") != std::string::npos, rule.refuses) << rule.name;
  }
}

TEST(Lint, AllowedFindingsRefuseNoLonger) {
  Dataset data = clean();
  data.valid = data.test = {};
  auto found = allow(lint(data, everything()), {"no-test"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].rule, "no-test");
  EXPECT_FALSE(found[0].refuses);
  EXPECT_EQ(found[1].rule, "no-valid");
  EXPECT_TRUE(found[1].refuses);
  EXPECT_THROW(allow(found, {"no-tset"}), UsageError);
}

TEST(Lint, UnknownNamesAreRefused) {
  EXPECT_THROW(lint(clean(), {.protocols = {"all"}}), UsageError);
  EXPECT_THROW(lint(clean(), {.metrics = {"ndgc"}}), UsageError);
  EXPECT_THROW(lint(clean(), {.choice = "none"}), UsageError);
  EXPECT_THROW(lint(clean(), {.methods = {"isp"}, .propensities = {"given"}}), UsageError);
}

TEST(LintParts, MethodsThatLearnFromValidAreNamed) {
  PlannedComparison planned = everything();
  planned.methods.insert(planned.methods.end(), {"kd-label", "cause", "kd-label"});
  Dataset data = clean();
  expect_one(said("random-sample", data, planned), "warns: kd-label, cause learn from 400 rows of valid",
             "chosen by the other 400");
  data.provenance["test_part"] = "resampled";
  expect_one(said("random-sample", data, planned), "refuses: kd-label, cause learn from rows shown at random",
             "it was cut from the log (resampled)");
  EXPECT_TRUE(said("random-sample", data).empty());
}

TEST(LintParts, Missing) {
  Dataset data = clean();
  data.test = {};
  EXPECT_EQ(fired(data), Names{"no-test"});
  data = clean();
  data.valid = {};
  EXPECT_EQ(fired(data), Names{"no-valid"});
  expect_one(said("no-valid", data), "refuses: there are no validation rows");
}

TEST(LintParts, PairsInTrain) {
  Dataset data = clean();
  data.train.propensity.clear();
  for (const std::size_t r : {3, 5, 8}) add_row(data.train, data.test.user[r], data.test.item[r], true);
  EXPECT_EQ(fired(data), Names{"test-in-train"});
  expect_one(said("test-in-train", data), "refuses: 3 pairs of test occur in train");
  for (const std::size_t r : {1, 2}) add_row(data.train, data.valid.user[r], data.valid.item[r], true);
  EXPECT_EQ(fired(data), (Names{"test-in-train", "valid-in-train"}));
  expect_one(said("valid-in-train", data), "refuses: 2 pairs of valid occur in train");
}

TEST(LintParts, ValidAndTest) {
  Dataset data = clean();
  add_row(data.valid, data.test.user[7], data.test.item[7], true);
  EXPECT_EQ(fired(data), Names{"valid-in-test"});
  expect_one(said("valid-in-test", data), "refuses: 1 pairs occur both in valid and in test");
  data.valid = data.test;
  expect_one(said("valid-in-test", data), "refuses: valid is test: all 1,200 pairs occur in both");
}

TEST(LintParts, ConstantLabels) {
  for (Rows Dataset::*part : {&Dataset::train, &Dataset::valid, &Dataset::test}) {
    for (const float label : {0.0f, 1.0f}) {
      Dataset data = clean();
      std::fill((data.*part).label.begin(), (data.*part).label.end(), label);
      expect_one(said("constant-label", data), "refuses: every label of ", label == 0 ? "is 0: " : "is 1: ");
    }
  }
  // Where other items are the negatives, test needs no negatives of its own.
  Dataset data = clean();
  std::fill(data.test.label.begin(), data.test.label.end(), 1.0f);
  PlannedComparison planned = everything();
  planned.protocols = {"full"};
  EXPECT_EQ(fired(data, planned), Names{});
}

TEST(LintParts, FewLabels) {
  for (const float rare : {0.0f, 1.0f}) {
    for (const std::size_t count : {9, 10, 99, 100}) {
      Dataset data = clean();
      for (std::size_t t = 0; t < data.valid.size(); ++t) data.valid.label[t] = t < count ? rare : 1 - rare;
      const auto found = said("few-labels", data);
      if (count == 100) {
        EXPECT_TRUE(found.empty());
      } else {
        expect_one(found, count < 10 ? "refuses: valid has 9 " : "warns: valid has ",
                   rare == 0 ? " negatives " : " positives ");
      }
    }
  }
  Dataset data = clean();
  std::fill(data.test.label.begin() + 50, data.test.label.end(), 1.0f);
  std::fill(data.test.label.begin(), data.test.label.begin() + 50, 0.0f);
  PlannedComparison planned = everything();
  expect_one(said("few-labels", data, planned), "warns: test has 50 negatives among 1,200 rows", "by about 0.04");
  planned.protocols = {"sampled:5"};
  EXPECT_TRUE(said("few-labels", data, planned).empty());
}

TEST(LintParts, ConflictingLabels) {
  Dataset data = clean();
  add_row(data.test, data.test.user[0], data.test.item[0], data.test.label[0] == 0);
  EXPECT_EQ(fired(data), Names{"conflicting-labels"});
  expect_one(said("conflicting-labels", data), "warns: 1 pairs occur in test more than once, with both labels");
  data.test.label.back() = data.test.label[0];
  EXPECT_TRUE(fired(data).empty());
}

/// 100 users; each has a row of item 0 or 1 in train, of items 2 and 3 in valid, and of two items in test.
Dataset with_cold_rows(int cold_users) {
  Dataset data = empty_log("cold", 100, 6);
  for (int u = 0; u < 100; ++u) {
    if (u >= cold_users) add_row(data.train, u, u % 2, u % 3 == 0), add_row(data.train, u, 2, u % 3 == 1);
    add_row(data.valid, u, 3, true), add_row(data.valid, u, 4, false);
    add_row(data.test, u, (u + 1) % 2, true), add_row(data.test, u, u < 21 ? 5 : 2, false);
  }
  return data;
}

TEST(LintParts, ColdTest) {
  // 21 of 200 test rows are of item 5, which train does not have; a user has 1% of the rows.
  auto found = said("cold-test", with_cold_rows(10));
  expect_one(found, "warns: 10.5% of the test rows are of 1 items that never occur in train");
  found = said("cold-test", with_cold_rows(11));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].starts_with("warns: 11.0% of the test rows are of 11 users that never occur in train"));
}

TEST(LintParts, TestNotUniform) {
  Dataset data = clean();
  for (std::size_t t = 0; t < data.test.size(); ++t) {
    // Items 15 … 19 become their neighbours of five places less, for users who do not have those.
    const auto same_user = [&](std::size_t o) {
      return o < data.test.size() && data.test.user[o] == data.test.user[t];
    };
    bool taken = false;
    for (std::size_t o = t < 3 ? 0 : t - 3; o < t + 4; ++o) {
      taken |= same_user(o) && data.test.item[o] == data.test.item[t] - 5;
    }
    if (data.test.item[t] >= 15 && !taken) data.test.item[t] -= 5;
  }
  expect_one(said("test-not-uniform", data),
             "warns: valid and test are called unbiased, but 20 of 20 items occur there");
  data.provenance["test_part"] = "resampled";
  EXPECT_TRUE(said("test-not-uniform", data).empty());
}

TEST(LintRealData, Pcic) {
  NEEDS_REAL_DATA(folder, "pcic");
  PlannedComparison planned;
  planned.metrics = {"auc", "ndcg", "recall"};
  const Dataset data = test::import_from("pcic", {folder});
  EXPECT_EQ(fired(data, planned), (Names{"test-not-uniform", "fixed-metric"}));
  expect_one(said("test-not-uniform", data, planned), "warns: ", "395 of 1,720 items occur there");
  const auto fixed = said("fixed-metric", data, planned);
  ASSERT_EQ(fixed.size(), 2u);
  EXPECT_TRUE(fixed[0].starts_with("refuses: recall cannot tell models apart on test under test-items"));
  EXPECT_NE(fixed[0].find("the longest list has 8 items and k is 10"), std::string::npos);
  // As released, 300 pairs of the unbiased part occur in train.
  const Dataset released = test::import_from("pcic", {folder}, {{"keep_leaks", "true"}});
  EXPECT_TRUE(fired(released, planned).contains("test-in-train"));
  const auto leaks = [&](const std::string& rule) { return std::stoi(said(rule, released, planned).at(0).substr(9)); };
  EXPECT_EQ(leaks("test-in-train") + leaks("valid-in-train"), 300);
}

TEST(LintRealData, Coat) {
  NEEDS_REAL_DATA(folder, "coat");
  PlannedComparison planned;
  planned.metrics = {"auc", "ndcg", "recall"};
  planned.methods = {"base", "ips"};
  planned.propensities = {"given"};
  EXPECT_EQ(fired(test::import_from("coat", {folder}), planned), Names{});
  const Dataset data = test::import_from("coat", {folder}, {{"keep_leaks", "true"}});
  EXPECT_EQ(fired(data, planned), (Names{"test-in-train", "valid-in-train"}));
  const auto leaks = [&](const std::string& rule) { return std::stoi(said(rule, data, planned).at(0).substr(9)); };
  EXPECT_EQ(leaks("test-in-train") + leaks("valid-in-train"), 366);
}

TEST(Lint, ALogOfPositivesOnlyIsNoMistake) {
  Dataset data = clean();
  for (Rows* rows : {&data.train, &data.valid, &data.test}) std::fill(rows->label.begin(), rows->label.end(), 1.0f);
  const PlannedComparison planned{.metrics = {"ndcg"}, .choice = "ndcg", .k = 3, .methods = {"base"}};
  EXPECT_TRUE(fired(data, planned).contains("constant-label")) << "where the log has labels it is one";
  data.positives_only = true;
  EXPECT_FALSE(fired(data, planned).contains("constant-label"));
  EXPECT_FALSE(fired(data, planned).contains("fixed-metric"));
  EXPECT_FALSE(fired(data, planned).contains("few-labels"));
  data.test.label[0] = 0;  // both labels, and of negatives too few
  expect_one(said("few-labels", data, planned), "refuses: test has 1 negatives");
}

}  // namespace
}  // namespace equipoise
