// What every row of the table of metrics says of itself, against evaluations.
#include "eval/metric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "eval/evaluation.h"
#include "eval/ranking.h"
#include "eval/toy.h"
#include "eval/user_means.h"

namespace equipoise {
namespace {

Evaluation evaluate_with(const Dataset& data, int k, const Scorer& scorer) {
  EvaluationPlan plan;
  plan.k = k;
  plan.replicates = 0;
  Pool pool(1);
  return evaluate(scorer, data, plan, pool);
}

/// One user with that many positive and negative rows of test.
Dataset one_list(int positives, int negatives) {
  Dataset data = empty_data(1, positives + negatives);
  for (int i = 0; i < positives + negatives; ++i) add_row(data.test, 0, i, i < positives);
  return data;
}

TEST(MetricTable, NamesAndSentencesAreThereOnce) {
  std::set<std::string> names, sentences;
  for (const MetricInfo& metric : metric_table()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_TRUE(sentences.insert(metric.sentence).second) << metric.name;
    EXPECT_EQ(&find_metric(metric.name), &metric);
  }
}

TEST(MetricTable, NeedsTheLabelsThatItSays) {
  for (const MetricInfo& metric : metric_table()) {
    const auto defined = [&](int positives, int negatives) {
      return !std::isnan(evaluate_with(one_list(positives, negatives), 2, constant_scorer()).mean(metric.name));
    };
    EXPECT_TRUE(defined(2, 2) || metric.of_shown()) << metric.name;
    EXPECT_EQ(defined(0, 2), metric.needs == LabelNeed::nothing) << metric.name;
    EXPECT_EQ(defined(2, 0), metric.needs != LabelNeed::both_labels) << metric.name;
  }
}

TEST(MetricTable, IsCutAtKWhereItSays) {
  const Dataset data = coin_data(40, 30, 8);
  const FunctionScorer scorer = coarse_scorer(3, 1000);
  const Evaluation short_lists = evaluate_with(data, 1, scorer), long_lists = evaluate_with(data, 5, scorer);
  for (const MetricInfo& metric : metric_table()) {
    EXPECT_EQ(short_lists.mean(metric.name) != long_lists.mean(metric.name), metric.cut_at_k) << metric.name;
  }
}

TEST(MetricTable, BetterIsTheWayThatItSays) {
  const Dataset data = coin_data(40, 30, 8);
  std::set<std::pair<int, int>> positive;
  for (std::size_t r = 0; r < data.test.size(); ++r) {
    if (data.test.label[r] > 0) positive.emplace(data.test.user[r], data.test.item[r]);
  }
  const FunctionScorer truth([&](int u, int i) { return positive.contains({u, i}) ? 3 : -3; });
  const FunctionScorer opposite([&](int u, int i) { return positive.contains({u, i}) ? -3 : 3; });
  const Evaluation good = evaluate_with(data, 3, truth), bad = evaluate_with(data, 3, opposite);
  for (const MetricInfo& metric : metric_table()) {
    if (metric.of_shown()) continue;  // these say what is shown, not how good it is
    EXPECT_TRUE(better(metric, good.mean(metric.name), bad.mean(metric.name))) << metric.name;
    EXPECT_FALSE(better(metric, bad.mean(metric.name), good.mean(metric.name))) << metric.name;
    EXPECT_TRUE(better(metric, 0.5, std::nan(""))) << metric.name;
    EXPECT_FALSE(better(metric, std::nan(""), std::nan(""))) << metric.name;
  }
}

TEST(UserMeans, ListsAndUsersCountByTheirWeights) {
  const auto value = [](const RankedList& list) { return static_cast<double>(list.R); };
  const auto weight = [](const RankedList& list) { return static_cast<double>(list.n); };
  const MetricInfo plain{.name = "plain", .sentence = "", .function = OfList{value}};
  const MetricInfo weighted{.name = "weighted", .sentence = "", .function = OfList{value, weight}};
  RankedList two, five;  // user 0 has a list of 4 items with 2 relevant ones, and one of 8 with 5; user 1 the second
  two.n = 4, two.R = 2, five.n = 8, five.R = 5;
  for (const MetricInfo* metric : {&plain, &weighted}) {
    UserMeans means(*metric, 3);
    for (const RankedList* list : {&two, &five}) means.add(0, means.measure(*list));
    means.add(1, means.measure(five));
    means.add(2, means.measure(RankedList{}));  // without a relevant item: left out
    means.finish();
    const bool plainly = metric == &plain;
    EXPECT_DOUBLE_EQ(means.values()[0], plainly ? 3.5 : (4 * 2 + 8 * 5) / 12.0);
    EXPECT_TRUE(std::isnan(means.values()[2]));
    EXPECT_DOUBLE_EQ(means.mean({}), plainly ? (3.5 + 5) / 2 : (4 * 2 + 8 * 5 + 8 * 5) / 20.0);
    EXPECT_DOUBLE_EQ(means.mean(std::vector<std::uint32_t>{0, 2, 1}), 5);
    EXPECT_TRUE(std::isnan(means.mean(std::vector<std::uint32_t>{0, 0, 3})));
  }
}

}  // namespace
}  // namespace equipoise
