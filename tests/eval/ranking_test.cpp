// Ranking metrics against hand-computed values and against every order of tied lists.
#include "eval/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "core/random.h"
#include "eval/list_metrics.h"

namespace equipoise {
namespace {

using Labels = std::vector<std::uint8_t>;
using Values = std::map<std::string, double>;

/// What every metric of lists in the table gives.
Values measure(int k, const std::vector<float>& scores, const Labels& labels) {
  const Ranker ranker(k);
  const RankedList list = ranker(scores, labels);
  Values out;
  for (const MetricInfo& metric : metric_table()) {
    if (metric.per_list()) out[metric.name] = value_of(std::get<OfList>(metric.function), list);
  }
  return out;
}

/// The textbook metrics of labels in a given order, without ties.
Values plain(const Labels& order, std::size_t k) {
  Values v{{"ndcg", 0}, {"recall", 0}, {"precision", 0}, {"hit_rate", 0}};
  const double R = std::accumulate(order.begin(), order.end(), 0.0), N = static_cast<double>(order.size()) - R;
  double hits = 0, ideal = 0, wins = 0, negatives = 0;
  for (std::size_t p = 0; p < order.size(); ++p) {
    const double place = static_cast<double>(p) + 1;
    if (p < k && place <= R) ideal += 1 / std::log2(place + 1);
    if (!order[p]) {
      negatives += 1;
      continue;
    }
    hits += 1;
    wins += N - negatives;
    if (hits == 1) v["mrr"] = 1 / place;
    v["map"] += hits / place / R;
    if (p >= k) continue;
    v["ndcg"] += 1 / std::log2(place + 1);
    v["recall"] += 1 / R;
    v["precision"] += 1 / static_cast<double>(k);
    v["hit_rate"] = 1;
  }
  v["ndcg"] /= ideal;
  v["user_auc"] = v["auc_user_weighted"] = wins / (R * N);
  return v;
}

/// The mean over all permutations of the items, sorted stably by score.
Values over_all_orders(const std::vector<float>& scores, const Labels& labels, std::size_t k) {
  std::vector<std::size_t> items(scores.size());
  std::iota(items.begin(), items.end(), std::size_t{0});
  Values sums;
  double orders = 0;
  do {
    auto sorted = items;
    std::stable_sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return scores[a] > scores[b]; });
    Labels order;
    for (const std::size_t item : sorted) order.push_back(labels[item]);
    for (const auto& [name, value] : plain(order, k)) sums[name] += value;
    ++orders;
  } while (std::next_permutation(items.begin(), items.end()));
  for (auto& [name, value] : sums) value /= orders;
  return sums;
}

void expect_equal(const Values& a, const Values& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, value] : a) EXPECT_NEAR(value, b.at(name), 1e-12) << name;
}

TEST(Ranking, HandComputedWithoutTies) {
  // Order by score: 1 0 1 0; R = 2.
  const Values v = measure(2, {0.1f, 3, 2, 1}, Labels{0, 1, 0, 1});
  EXPECT_NEAR(v.at("ndcg"), 1 / (1 + 1 / std::log2(3.0)), 1e-15);
  EXPECT_DOUBLE_EQ(v.at("recall"), 0.5);
  EXPECT_DOUBLE_EQ(v.at("precision"), 0.5);
  EXPECT_DOUBLE_EQ(v.at("hit_rate"), 1);
  EXPECT_DOUBLE_EQ(v.at("mrr"), 1);
  EXPECT_NEAR(v.at("map"), (1 + 2.0 / 3) / 2, 1e-15);
  EXPECT_DOUBLE_EQ(v.at("user_auc"), 0.75);
}

TEST(Ranking, HandComputedWithATie) {
  // One relevant item tied with one other on places 1 and 2.
  const Values v = measure(1, {5, 5, 1}, Labels{1, 0, 0});
  EXPECT_DOUBLE_EQ(v.at("ndcg"), 0.5);
  EXPECT_DOUBLE_EQ(v.at("recall"), 0.5);
  EXPECT_DOUBLE_EQ(v.at("hit_rate"), 0.5);
  EXPECT_DOUBLE_EQ(v.at("mrr"), 0.75);
  EXPECT_DOUBLE_EQ(v.at("map"), 0.75);
  EXPECT_DOUBLE_EQ(v.at("user_auc"), 0.75);
}

TEST(Ranking, TiesAreTheMeanOverAllOrders) {
  int lists = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Stream stream(seed, "tied lists");
    const std::size_t n = 2 + stream.below(6);
    const std::uint32_t levels = 1 + stream.below(4);
    std::vector<float> scores(n);
    Labels labels(n);
    for (std::size_t p = 0; p < n; ++p) {
      scores[p] = static_cast<float>(stream.below(levels));
      labels[p] = static_cast<std::uint8_t>(stream.below(2));
    }
    const auto positives = std::count(labels.begin(), labels.end(), 1);
    if (positives == 0 || positives == static_cast<std::ptrdiff_t>(n)) continue;
    ++lists;
    for (const int k : {1, 2, 3, 5, 10}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " k " << k);
      expect_equal(measure(k, scores, labels), over_all_orders(scores, labels, static_cast<std::size_t>(k)));
    }
  }
  EXPECT_GT(lists, 30);
}

TEST(Ranking, ConstantScoresGetARandomOrdersExpectation) {
  const std::size_t n = 1000, R = 10;
  std::vector<float> scores(n, 0.3f);
  Labels labels(n, 0);
  std::fill(labels.begin(), labels.begin() + R, 1);
  const Values v = measure(10, scores, labels);
  EXPECT_NEAR(v.at("ndcg"), 0.01, 1e-12);  // every place is relevant with chance R/n; the ideal has all 10 places
  EXPECT_NEAR(v.at("recall"), 0.01, 1e-12);
  EXPECT_NEAR(v.at("precision"), 0.01, 1e-12);
  EXPECT_DOUBLE_EQ(v.at("user_auc"), 0.5);
  double none = 1;
  for (int j = 0; j < 10; ++j) none *= (990.0 - j) / (1000.0 - j);
  EXPECT_NEAR(v.at("hit_rate"), 1 - none, 1e-12);
}

TEST(Ranking, PerfectAndReversed) {
  std::vector<float> scores;
  Labels labels;
  for (int p = 0; p < 40; ++p) {
    scores.push_back(static_cast<float>(-p));
    labels.push_back(p < 5);
  }
  const Values best = measure(10, scores, labels);
  for (const char* m : {"ndcg", "recall", "hit_rate", "mrr", "map", "user_auc"}) {
    EXPECT_NEAR(best.at(m), 1, 1e-12) << m;
  }
  EXPECT_DOUBLE_EQ(best.at("precision"), 0.5);
  for (float& score : scores) score = -score;
  const Values worst = measure(10, scores, labels);
  for (const char* m : {"ndcg", "recall", "precision", "hit_rate", "user_auc"}) {
    EXPECT_DOUBLE_EQ(worst.at(m), 0) << m;
  }
  EXPECT_DOUBLE_EQ(worst.at("mrr"), 1.0 / 36);
}

TEST(Ranking, UndefinedIsNotANumber) {
  for (const auto& [name, value] : measure(3, {1, 2}, Labels{0, 0})) EXPECT_TRUE(std::isnan(value)) << name;
  const Values all = measure(3, {1, 2}, Labels{1, 1});
  EXPECT_DOUBLE_EQ(all.at("ndcg"), 1);
  EXPECT_TRUE(std::isnan(all.at("user_auc")));
}

TEST(Ranking, FirstItemsByScoreThenByPlace) {
  const std::vector<float> scores{1, 2, 1, 2, 0};
  const std::vector<std::int32_t> items{4, 9, 3, 8, 0}, place{0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
  EXPECT_EQ(first_items(scores, items, place, 3), (std::vector<std::int32_t>{9, 8, 3}));
  EXPECT_EQ(first_items(scores, items, place, 9), (std::vector<std::int32_t>{9, 8, 3, 4, 0}));
}

}  // namespace
}  // namespace equipoise
