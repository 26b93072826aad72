// Ranks, correlation and clustered errors against figures computed by hand or known from tables.
#include "doctor/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace equipoise {
namespace {

using Numbers = std::vector<double>;

TEST(Statistics, RanksShareTies) { EXPECT_EQ(ranks(Numbers{30, 10, 20, 10}), (Numbers{4, 1.5, 3, 1.5})); }

TEST(Statistics, CorrelationByHand) {
  EXPECT_NEAR(pearson(Numbers{1, 2, 3}, Numbers{2, 4, 6}), 1, 1e-12);
  // Deviations (−1, 0, 1) and (−1, 1, 0): 1 ÷ √(2·2).
  EXPECT_NEAR(pearson(Numbers{1, 2, 3}, Numbers{1, 3, 2}), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(pearson(Numbers{1, 2}, Numbers{5, 5})));
  EXPECT_NEAR(correlation_p(std::tanh(1.959964 / 5), 28), 0.05, 1e-6);
}

TEST(Statistics, APermutationPValueCountsTheObserved) {
  EXPECT_DOUBLE_EQ(permutation_p(5, Numbers{1, 2, 5, 9}), 3.0 / 5);
  EXPECT_DOUBLE_EQ(permutation_p(10, Numbers{1, 2, 5, 9}), 1.0 / 5);
}

TEST(Statistics, ClusteredMeanByHand) {
  // Users with 2 of 2 and 0 of 2: the mean is ½, the influences are +1/4 and −1/4. Four independent rows would have had
  // √(¼ ÷ 4) = 0.25, not 0.354.
  const ClusteredMean mean = clustered_mean(Numbers{2, 0, 0}, Numbers{2, 2, 0});
  EXPECT_DOUBLE_EQ(mean.value, 0.5);
  EXPECT_EQ(mean.influence, (Numbers{0.25, -0.25, 0}));
  EXPECT_NEAR(mean.standard_error, std::sqrt(0.125), 1e-12);
}

}  // namespace
}  // namespace equipoise
