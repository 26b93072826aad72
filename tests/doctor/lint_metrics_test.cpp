// The linter's rules about metrics: against all orders of small lists, and on lists worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/text.h"
#include "doctor/lint_checks.h"
#include "doctor/lint_fixture.h"
#include "eval/list_metrics.h"

namespace equipoise {
namespace {

using test::add_row;
using test::clean;
using test::empty_log;
using test::everything;
using test::expect_one;
using test::said;

// Whether two orders of a list differ in a metric: all orders tried.
bool some_orders_differ(const OfList& metric, std::size_t items, std::size_t positives, int k) {
  const Ranker ranker(k);
  std::vector<std::uint8_t> labels(items, 0);
  std::fill(labels.end() - static_cast<std::ptrdiff_t>(positives), labels.end(), 1);
  std::vector<float> scores(items);
  for (std::size_t i = 0; i < items; ++i) scores[i] = -static_cast<float>(i);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  do {
    const double value = value_of(metric, ranker(scores, labels));
    low = std::min(low, value), high = std::max(high, value);  // NaN changes neither
  } while (std::next_permutation(labels.begin(), labels.end()));
  return high > low + 1e-9;
}

// "ndcg, recall, …": the ranking metrics of the table but for the first ones.
std::string ranking_metrics(std::size_t without = 0) {
  std::vector<std::string> names;
  for (const MetricInfo& entry : metric_table()) {
    if (entry.per_list()) names.push_back(entry.name);
  }
  names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(without));
  return join(names, ", ");
}

TEST(LintMetrics, OrderMattersWhereSomeOrdersDiffer) {
  for (std::size_t items = 1; items <= 6; ++items) {
    for (std::size_t positives = 0; positives <= items; ++positives) {
      for (int k = 1; k <= 7; ++k) {
        for (const MetricInfo& entry : metric_table()) {
          const auto* of_list = std::get_if<OfList>(&entry.function);
          if (of_list == nullptr) continue;
          EXPECT_EQ(order_matters(entry, {1, items, positives}, Ranker(k)),
                    some_orders_differ(*of_list, items, positives, k))
              << entry.name << " at " << k << ", " << positives << " of " << items;
        }
      }
    }
  }
}

TEST(LintMetrics, FixedByShortLists) {
  PlannedComparison planned = everything();
  planned.protocols = {"test-items"};
  planned.k = 3;
  expect_one(
      said("fixed-metric", clean(), planned),
      "refuses: recall, precision, hit_rate cannot tell models apart on test under test-items: the longest list has 3 "
      "items and k is 3; ");
  planned.metrics = {"auc", "ndcg", "recall"};
  const auto found = said("fixed-metric", clean(), planned);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].starts_with("refuses: recall cannot"));
  EXPECT_TRUE(found[1].starts_with("warns: precision, hit_rate cannot"));
  planned.protocols = {"full"};
  EXPECT_TRUE(said("fixed-metric", clean(), planned).empty());
}

TEST(LintMetrics, FixedByLabels) {
  Dataset data = clean();  // users' rows of test are together
  for (std::size_t t = 0; t < data.test.size(); ++t) data.test.label[t] = static_cast<float>(data.test.user[t] % 2);
  PlannedComparison planned = everything();
  planned.protocols = {"test-items"};
  expect_one(
      said("fixed-metric", data, planned),
      "refuses: " + ranking_metrics() + " cannot tell models apart on test under test-items: no list has both labels");
  // One negative in lists of three: at k = 2 a positive is always among the first two, but how many there are differs.
  for (std::size_t t = 0; t < data.test.size(); ++t) data.test.label[t] = t % 3 != 0;
  planned.k = 2;
  expect_one(said("fixed-metric", data, planned), "refuses: hit_rate cannot", "no list has 2 negatives");
}

TEST(LintMetrics, FixedChoice) {
  PlannedComparison planned = everything();
  planned.protocols = {"test-items"};
  planned.k = 2;  // lists of 2 in valid, of 3 in test
  EXPECT_TRUE(said("fixed-metric", clean(), planned).empty());
  planned.choice = "recall";
  expect_one(said("fixed-metric", clean(), planned),
             "refuses: recall cannot tell models apart on valid under test-items");
}

/// 400 users with three test rows each, of which the first `both` have both labels.
Dataset with_users_of_both(std::size_t both) {
  Dataset data = clean();
  for (std::size_t t = 0; t < data.test.size(); ++t) {
    data.test.label[t] = t / 3 < both ? t % 3 == 0 : t / 3 % 2 == 0;
  }
  return data;
}

TEST(LintMetrics, FewUsers) {
  PlannedComparison planned = everything();
  planned.protocols = {"test-items"};
  planned.metrics = {"auc", "ndcg"};
  // Users with a positive: those with both labels, and every second of the others.
  const auto found = said("few-users", with_users_of_both(9), planned);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].starts_with("refuses: ndcg can differ for 9 of 204 users only on test")) << found[0];
  EXPECT_TRUE(found[1].starts_with("warns: " + ranking_metrics(1) + " can")) << found[1];
  for (const std::size_t both : {10, 29})
    expect_one(said("few-users", with_users_of_both(both), planned), "warns: ndcg, recall");
  EXPECT_TRUE(said("few-users", with_users_of_both(30), planned).empty());
  planned.protocols = {"full"};
  EXPECT_TRUE(said("few-users", with_users_of_both(9), planned).empty());
}

TEST(LintMetrics, FewListsLongerThanK) {
  Dataset data = clean();  // 400 users with three test rows each
  const std::size_t before = data.test.size();
  for (std::size_t t = 0; t < before && t / 3 < 9; t += 3) {
    const int user = data.test.user[t];  // nine users get long lists
    for (int i = 0; i < data.items.size(); ++i) add_row(data.test, user, i, i % 2);
  }
  PlannedComparison planned = everything();
  planned.protocols = {"test-items"};
  planned.metrics = {"auc"};
  planned.k = 3;
  expect_one(said("few-users", data, planned), "warns: recall, precision, hit_rate can differ for 9 of");
}

TEST(LintMetrics, WhatIsShownIsFixedByAShortCatalogueOnly) {
  PlannedComparison planned = everything();
  planned.protocols = {"test-items"};
  planned.k = clean().items.size();
  const auto found = said("fixed-metric", clean(), planned);
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const std::string& text) {
    return text.starts_with("refuses: coverage, gini, mean_popularity cannot");
  })) << ::testing::PrintToString(found);
}

TEST(LintMetrics, AccuracyOfOneLabel) {
  Dataset data = clean();
  PlannedComparison planned = everything();
  planned.protocols = {"test-items"};
  for (std::size_t t = 0; t < data.test.size(); ++t) data.test.label[t] = t < 60;
  expect_one(said("accuracy-of-one-label", data, planned), "refuses: acc says little on test under test-items",
             "calling every pair negative is right for 95.0% of 1,200 pairs");
  planned.metrics = {"auc"};
  expect_one(said("accuracy-of-one-label", data, planned), "warns: ");
  data.test.label[60] = 1;
  EXPECT_TRUE(said("accuracy-of-one-label", data, planned).empty());
}

TEST(LintMetrics, AccuracyBelowOneLabel) {
  Dataset data = empty_log("accuracy", 2, 4);
  for (int i = 0; i < 4; ++i) add_row(data.test, 0, i, i == 0);
  EXPECT_FALSE(lint_accuracy(data, "test-items", "cbr", 0.75));
  const auto found = lint_accuracy(data, "test-items", "cbr", 0.74);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rule, "accuracy-below-one-label");
  EXPECT_FALSE(found->refuses);
  EXPECT_TRUE(found->sentence.starts_with(
      "acc of cbr is 0.740 on test under test-items, and calling every pair negative would give 0.750"));
  for (float& label : data.test.label) label = 1 - label;
  EXPECT_NE(lint_accuracy(data, "test-items", "cbr", 0.5)->sentence.find("every pair positive"), std::string::npos);
}

}  // namespace
}  // namespace equipoise
