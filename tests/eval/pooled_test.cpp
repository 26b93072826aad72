// AUC over all pairs, sums over pairs and exposure against literal definitions.
#include "eval/pooled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/random.h"
#include "eval/auc.h"
#include "eval/bootstrap.h"
#include "eval/metric.h"
#include "eval/shown_items.h"

namespace equipoise {
namespace {

double pooled(const char* metric, const PairSums& sums) {
  return std::get<OfPairSums>(find_metric(metric).function).value(sums);
}

double of_shown(const char* metric, const ShownTotals& shown) {
  return std::get<OfShown>(find_metric(metric).function).value(shown);
}

struct Pairs {
  std::vector<std::size_t> slot;
  std::vector<float> score;
  std::vector<std::uint8_t> label;
};

/// Pairs with many ties, where a user's labels and scores go together so that users matter.
Pairs tied_pairs(std::size_t users, std::size_t each, std::uint64_t seed) {
  Pairs pairs;
  Stream stream(seed, "tied pairs");
  for (std::size_t u = 0; u < users; ++u) {
    const double taste = stream.uniform();
    for (std::size_t p = 0; p < each; ++p) {
      pairs.slot.push_back(u);
      pairs.label.push_back(stream.uniform() < taste);
      pairs.score.push_back(static_cast<float>(std::floor(4 * (taste + stream.uniform() + 0.3 * pairs.label.back()))));
    }
  }
  return pairs;
}

void fill(PooledAuc& auc, const Pairs& pairs) {
  for (std::size_t p = 0; p < pairs.slot.size(); ++p)
    auc.add(pairs.slot[p], {&pairs.score[p], 1}, {&pairs.label[p], 1});
  auc.finish();
}

StreamedAuc streamed(const Pairs& pairs, std::size_t users) {
  std::vector<StreamedAuc::Positive> positives;
  for (std::size_t p = 0; p < pairs.slot.size(); ++p) {
    if (pairs.label[p]) positives.push_back({pairs.score[p], static_cast<std::uint32_t>(pairs.slot[p])});
  }
  return {positives, users};
}

double literal_auc(const Pairs& pairs, const std::vector<std::uint32_t>& counts) {
  double wins = 0, all = 0;
  for (std::size_t p = 0; p < pairs.slot.size(); ++p) {
    for (std::size_t n = 0; n < pairs.slot.size(); ++n) {
      if (!pairs.label[p] || pairs.label[n]) continue;
      const double times = static_cast<double>(counts[pairs.slot[p]]) * counts[pairs.slot[n]];
      all += times;
      wins += times * (pairs.score[p] > pairs.score[n] ? 1 : pairs.score[p] == pairs.score[n] ? 0.5 : 0);
    }
  }
  return wins / all;
}

TEST(Auc, HandComputed) {
  // Positives 3, 2; negatives 2, 1: wins 1 + 1 + ½ + 1 of 4.
  ExactAuc auc;
  auc.add(0, std::vector<float>{3, 2, 2, 1}, std::vector<std::uint8_t>{1, 1, 0, 0});
  auc.finish();
  EXPECT_DOUBLE_EQ(auc.value({}), 0.875);
}

TEST(Auc, IsTheDoubleSumAtAnyCounts) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Pairs pairs = tied_pairs(12, 9, seed);
    ExactAuc auc;
    fill(auc, pairs);
    EXPECT_NEAR(auc.value({}), literal_auc(pairs, std::vector<std::uint32_t>(12, 1)), 1e-12);
    Stream stream(seed, "counts");
    const auto counts = resample(12, stream);
    EXPECT_NEAR(auc.value(counts), literal_auc(pairs, counts), 1e-12);
  }
}

TEST(Auc, StreamedIsExactAtOneEach) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Pairs pairs = tied_pairs(30, 20, seed);
    ExactAuc exact;
    StreamedAuc stream = streamed(pairs, 30);
    fill(exact, pairs);
    fill(stream, pairs);
    EXPECT_NEAR(stream.value({}), exact.value({}), 1e-12);
    EXPECT_NEAR(stream.value(std::vector<std::uint32_t>(30, 1)), exact.value({}), 1e-12);
  }
}

TEST(Auc, StreamedResamplesHaveTheSpreadOfTheExactOnes) {
  const std::size_t users = 300;
  const Pairs pairs = tied_pairs(users, 20, 3);
  ExactAuc exact;
  StreamedAuc stream = streamed(pairs, users);
  fill(exact, pairs);
  fill(stream, pairs);
  std::vector<double> a, b;
  for (std::uint64_t r = 0; r < 400; ++r) {
    Stream draws(1, "spread", r);
    const auto counts = resample(users, draws);
    a.push_back(exact.value(counts));
    b.push_back(stream.value(counts));
    EXPECT_NEAR(a.back(), b.back(), 0.005);
  }
  const Interval x = percentile_interval(a), y = percentile_interval(b);
  EXPECT_GT(x.high - x.low, 0.02);
  EXPECT_NEAR(x.low, y.low, 0.05 * (x.high - x.low));
  EXPECT_NEAR(x.high, y.high, 0.05 * (x.high - x.low));
}

TEST(Auc, OneLabelIsNotDefined) {
  const Pairs pairs{{0, 1}, {1, 2}, {1, 1}};
  ExactAuc exact;
  StreamedAuc stream = streamed(pairs, 2);
  fill(exact, pairs);
  fill(stream, pairs);
  EXPECT_TRUE(std::isnan(exact.value({})));
  EXPECT_TRUE(std::isnan(stream.value({})));
}

TEST(PairSums, HandComputed) {
  const float logit = static_cast<float>(std::log(3.0));  // probability 0.75
  PairSums sums;
  sums.add(std::vector<float>{logit, logit, -logit, 0}, std::vector<std::uint8_t>{1, 0, 0, 1});
  EXPECT_DOUBLE_EQ(pooled("acc", sums), 0.75);  // logit 0 is called positive
  EXPECT_NEAR(pooled("log_loss", sums), -(2 * std::log(0.75) + std::log(0.25) + std::log(0.5)) / 4, 1e-7);
  EXPECT_NEAR(pooled("mse", sums), (2 * 0.0625 + 0.5625 + 0.25) / 4, 1e-7);
  EXPECT_NEAR(pooled("rmse", sums), std::sqrt((2 * 0.0625 + 0.5625 + 0.25) / 4), 1e-7);
  // Bins of 0.75 (gap 0.75 − 0.5, two pairs), 0.25 (0.25) and 0.5 (−0.5).
  EXPECT_NEAR(pooled("ece", sums), (2 * 0.25 + 0.25 + 0.5) / 4, 1e-7);
}

TEST(PairSums, LargeLogitsStayFinite) {
  PairSums sums;
  sums.add(std::vector<float>{1e4f, -1e4f}, std::vector<std::uint8_t>{0, 0});
  EXPECT_DOUBLE_EQ(pooled("log_loss", sums), 5000);
  EXPECT_DOUBLE_EQ(pooled("mse", sums), 0.5);
  EXPECT_DOUBLE_EQ(pooled("ece", sums), 0.5);
}

TEST(PairSums, TimesIsRepetition) {
  PairSums one, twice, times;
  one.add(std::vector<float>{0.3f, -1}, std::vector<std::uint8_t>{1, 0});
  twice.add(one);
  twice.add(one);
  times.add(one, 2);
  EXPECT_DOUBLE_EQ(twice.log_loss, times.log_loss);
  EXPECT_DOUBLE_EQ(pooled("ece", twice), pooled("ece", one));
}

TEST(ShownItems, GiniIsTheMeanDifference) {
  EXPECT_DOUBLE_EQ(gini(std::vector<double>{2, 2, 2}), 0);
  EXPECT_DOUBLE_EQ(gini(std::vector<double>{0, 5, 0, 0}), 0.75);
  const std::vector<double> x{4, 0, 1, 7, 1, 0};
  double differences = 0, sum = 0;
  for (const double a : x) {
    sum += a;
    for (const double b : x) differences += std::abs(a - b);
  }
  EXPECT_NEAR(gini(x), differences / (2 * static_cast<double>(x.size()) * sum), 1e-15);
}

TEST(ShownItems, HandComputed) {
  ShownItems exposure({10, 20, 30, 40}, 3);
  exposure.add(0, std::vector<std::int32_t>{0, 1});
  exposure.add(1, std::vector<std::int32_t>{1});  // user 2 is shown nothing
  exposure.finish();
  const ShownTotals once = exposure.totals({});
  EXPECT_DOUBLE_EQ(of_shown("coverage", once), 0.5);
  EXPECT_DOUBLE_EQ(of_shown("mean_popularity", once), (15.0 + 20.0) / 2);
  EXPECT_DOUBLE_EQ(of_shown("gini", once), gini(std::vector<double>{1, 2, 0, 0}));
  const ShownTotals drawn = exposure.totals(std::vector<std::uint32_t>{0, 2, 1});
  EXPECT_DOUBLE_EQ(of_shown("coverage", drawn), 0.25);
  EXPECT_DOUBLE_EQ(of_shown("mean_popularity", drawn), 20);
  // Item 0 is user 0's alone: first-order, it counts as often as user 0 does.
  EXPECT_DOUBLE_EQ(of_shown("coverage", exposure.totals(std::vector<std::uint32_t>{2, 0, 1})), 0.75);
}

}  // namespace
}  // namespace equipoise
