// Resampling and intervals, with known answers.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "eval/bootstrap.h"

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

}  // namespace
}  // namespace equipoise
