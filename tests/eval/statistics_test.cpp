// Resampling, intervals and paired differences, with known answers.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/error.h"
#include "eval/bootstrap.h"
#include "eval/paired.h"
#include "eval/toy.h"

namespace equipoise {
namespace {

TEST(Bootstrap, ResampleDrawsAsManyAsThereAre) {
  std::vector<double> mean(50);
  for (std::uint64_t r = 0; r < 2000; ++r) {
    Stream stream(1, "test", r);
    const auto counts = resample(50, stream);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0u), 50u);
    for (std::size_t u = 0; u < 50; ++u) mean[u] += counts[u] / 2000.0;
  }
  for (const double value : mean) EXPECT_NEAR(value, 1, 0.12);  // sd 0.022
}

TEST(Bootstrap, Quantiles) {
  const std::vector<double> values{0, 1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 0);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile(values, 0.625), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 4);
}

TEST(Bootstrap, Intervals) {
  std::vector<double> values{std::nan("")};
  for (int v = 1000; v >= 0; --v) values.push_back(v / 1000.0);
  EXPECT_NEAR(percentile_interval(values).low, 0.025, 1e-12);
  EXPECT_NEAR(percentile_interval(values).high, 0.975, 1e-12);
  EXPECT_NEAR(centred_interval(values, 0.52).low, 0.045, 1e-12);
  EXPECT_NEAR(centred_interval(values, 0.9).high, 1, 1e-12);
  EXPECT_TRUE(std::isnan(percentile_interval({}).low));
  EXPECT_TRUE(std::isnan(centred_interval({}, 0.5).low));
}

TEST(Bootstrap, CoversTheKnownMeanAboutAsOftenAsItSays) {
  int covered = 0;
  const int trials = 300;
  for (int t = 0; t < trials; ++t) {
    Stream draw(9, "trial", static_cast<std::uint64_t>(t));
    std::vector<double> x(80), means;
    for (double& value : x) value = 0.3 + 0.1 * draw.normal();
    for (int r = 0; r < 200; ++r) {
      const auto counts = resample(x.size(), draw);
      double sum = 0;
      for (std::size_t u = 0; u < x.size(); ++u) sum += counts[u] * x[u];
      means.push_back(sum / static_cast<double>(x.size()));
    }
    const Interval interval = percentile_interval(means);
    covered += interval.low <= 0.3 && 0.3 <= interval.high;
  }
  EXPECT_GE(covered, 0.90 * trials);  // 0.95 ± 0.0126, a little less with 80 values
  EXPECT_LE(covered, 0.99 * trials);
}

Evaluation with(std::vector<std::int32_t> users, std::vector<double> ndcg) {
  Evaluation e;
  e.protocol = "test-items";
  e.k = 10;
  e.users = std::move(users);
  e.per_user["ndcg"] = std::move(ndcg);
  return e;
}

TEST(Paired, HandComputed) {
  // In common with values: users 2 (0.5), 5 (0.1), 7 (0.3); user 4 is left out of a, 6 stands in b only.
  const Evaluation a = with({1, 2, 4, 5, 7}, {0.9, 0.8, std::nan(""), 0.4, 0.5});
  const Evaluation b = with({2, 4, 5, 6, 7}, {0.3, 0.2, 0.3, 0.1, 0.2});
  const Paired d = paired_difference(a, b, "ndcg");
  EXPECT_EQ(d.users, 3u);
  EXPECT_NEAR(d.difference, 0.3, 1e-12);
  EXPECT_NEAR(d.standard_error, 0.2 / std::sqrt(3.0), 1e-12);
  EXPECT_GE(d.low, 0.1 - 1e-12);
  EXPECT_LE(d.high, 0.5 + 1e-12);
  EXPECT_NEAR(paired_difference(b, a, "ndcg").difference, -0.3, 1e-12);
}

TEST(Paired, RefusesWhatCannotBePaired) {
  const Evaluation a = with({1}, {0.5});
  Evaluation other = a;
  other.k = 5;
  EXPECT_THROW(paired_difference(a, other, "ndcg"), UsageError);
  EXPECT_THROW(paired_difference(a, a, "auc"), UsageError);
  EXPECT_THROW(paired_difference(a, a, "nothing"), UsageError);
  EXPECT_THROW(paired_difference(a, with({2}, {0.5}), "ndcg"), DataError);
}

TEST(Paired, IsNarrowerThanTwoIntervalsApart) {
  // b is a with a little noise in the scores: the difference is known far better than either value.
  const Dataset data = coin_data(300, 40, 10);
  const FunctionScorer a = coarse_scorer(3, 1000), noise = coarse_scorer(8, 1000);
  auto both = [&](int user, int item) {
    float x = 0, y = 0;
    a.score(std::vector<std::int32_t>{user}, std::vector<std::int32_t>{item}, {&x, 1});
    noise.score(std::vector<std::int32_t>{user}, std::vector<std::int32_t>{item}, {&y, 1});
    return x + 0.05 * y;
  };
  Pool pool(1);
  EvaluateOptions options;
  options.k = 5;
  options.replicates = 300;
  const Evaluation x = evaluate(a, data, options, pool), y = evaluate(FunctionScorer(both), data, options, pool);
  const Paired d = paired_difference(x, y, "ndcg");
  EXPECT_NEAR(d.difference, x.mean("ndcg") - y.mean("ndcg"), 1e-12);
  EXPECT_LT(d.high - d.low, 0.5 * (x.at("ndcg").high - x.at("ndcg").low));
  EXPECT_NEAR(d.high - d.low, 2 * 1.96 * d.standard_error, 0.25 * (d.high - d.low));
  const Paired same = paired_difference(x, x, "map");
  EXPECT_EQ(same.difference, 0);
  EXPECT_EQ(same.high, 0);
}

}  // namespace
}  // namespace equipoise
