// Calibration and exposure gains: right, too extreme and blind models must be told apart.
#include "doctor/propensity_quality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "doctor/exposure_gain.h"
#include "logs.h"

namespace equipoise {
namespace {

struct Asked {
  std::vector<double> shown, unshown;
};

/// Pairs with true chances between 0.01 and 0.5; what is told of each is a function of the truth. Every pair is asked
/// about, so that an unshown one stands for itself.
template <class F>
Asked pairs_of_truth(F told) {
  Asked out;
  Stream stream(9, "truth");
  for (int k = 0; k < 200000; ++k) {
    const double truth = 0.01 * std::pow(50, stream.uniform());
    (stream.uniform() < truth ? out.shown : out.unshown).push_back(told(truth));
  }
  return out;
}

double stretched(double p, double by) { return 1 / (1 + std::exp(-by * std::log(p / (1 - p)))); }

TEST(CalibrationTest, RightChancesHaveASlopeOfOneAndNoError) {
  const Asked asked = pairs_of_truth([](double p) { return p; });
  const auto found = calibrate(asked.shown, asked.unshown, 1);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->slope, 1, 0.02);
  EXPECT_LT(found->error, 0.03);
  EXPECT_GT(information_of(asked.shown, asked.unshown, 1), 0.1);
}

TEST(CalibrationTest, StretchedLogitsShowInTheSlope) {
  for (const double by : {0.5, 2.0}) {
    const Asked asked = pairs_of_truth([&](double p) { return stretched(p, by); });
    const auto found = calibrate(asked.shown, asked.unshown, 1);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->slope, 1 / by, 0.03 / by);
    EXPECT_GT(found->error, 0.2);
    const Asked right = pairs_of_truth([](double p) { return p; });
    EXPECT_LT(information_of(asked.shown, asked.unshown, 1), information_of(right.shown, right.unshown, 1));
  }
}

TEST(CalibrationTest, AWeightStandsForThatManyPairs) {
  Asked asked = pairs_of_truth([](double p) { return p; });
  asked.unshown.resize(asked.unshown.size() / 4);
  const auto found = calibrate(asked.shown, asked.unshown, 4);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->slope, 1, 0.03);
  EXPECT_LT(found->error, 0.04);
}

TEST(CalibrationTest, AConstantCannotBeChecked) {
  EXPECT_FALSE(calibrate(std::vector<double>{0.1, 0.1}, std::vector<double>{0.1}, 1).has_value());
  EXPECT_NEAR(information_of(std::vector<double>{0.25}, std::vector<double>{0.25}, 3), 0, 1e-12);
}

TEST(CalibrationTest, TheErrorByHand) {
  // Two shown and two unshown at 0.25, two shown and one unshown at 0.5: |2 − 1| + |2 − 1.5| over 4.
  const auto found = calibrate(std::vector<double>{0.25, 0.25, 0.5, 0.5}, std::vector<double>{0.25, 0.25, 0.5}, 1);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->error, 0.375, 1e-9);
}

Fold one_fold() {
  Fold fold;
  fold.shown.add(0, 0);
  fold.shown.add(1, 1);
  for (std::size_t k = 0; k < 2 * kRivals; ++k) fold.rivals.add(k < kRivals ? 0 : 1, 2);
  return fold;
}

TEST(ExposureGainTest, ByHand) {
  const std::vector<Fold> folds = {one_fold()};
  // Popularity: ties for user 0, wins 15 of 20 for user 1. The other model wins all.
  Answers stick{{1, 1}, std::vector<float>(2 * kRivals, 1), {}}, all{{2, 2}, std::vector<float>(2 * kRivals, 1), {}};
  for (std::size_t k = kRivals; k < kRivals + 15; ++k) stick.rivals[k] = 0;
  for (std::size_t k = kRivals + 15; k < 2 * kRivals; ++k) stick.rivals[k] = 2;
  const auto gains = exposure_gains({{"popularity", {}}, {"other", {}}}, {{stick}, {all}}, folds, 2);
  EXPECT_NEAR(gains[0].auc, (0.5 + 0.75) / 2, 1e-12);
  EXPECT_NEAR(gains[0].gain, 0.125, 1e-12);
  EXPECT_NEAR(gains[0].standard_error, std::sqrt(2 * 0.0625 * 0.0625), 1e-12);
  EXPECT_NEAR(gains[1].auc, 1, 1e-12);
  EXPECT_NEAR(gains[1].gain, 0.375, 1e-12);
}

TEST(HeldOut, EachRowIsHeldOutOnceAndRivalsWereNotShown) {
  const Dataset data = test::known_log(80, 40, 6);
  const auto folds = make_folds(data, 3, 5);
  std::size_t held = 0;
  for (const Fold& fold : folds) {
    held += fold.held;
    EXPECT_EQ(fold.held, fold.shown.size());
    EXPECT_EQ(fold.fitted.size(), 2 * fold.held);
    std::vector<int> fitted(80, 0), shown(80, 0);
    for (const auto u : fold.fitted.user) ++fitted[static_cast<std::size_t>(u)];
    for (const auto u : fold.shown.user) ++shown[static_cast<std::size_t>(u)];
    for (std::size_t u = 0; u < 80; ++u) EXPECT_EQ(fitted[u], 2 * shown[u]);
    ASSERT_EQ(fold.rivals.size(), kRivals * fold.shown.size());
    for (const PairList* list : {&fold.rivals, &fold.unshown}) {
      for (std::size_t k = 0; k < list->size(); ++k) {
        for (std::size_t t = 0; t < data.train.size(); ++t) {
          ASSERT_FALSE(data.train.user[t] == list->user[k] && data.train.item[t] == list->item[k]);
        }
      }
    }
    EXPECT_NEAR(fold.unshown_weight * static_cast<double>(fold.unshown.size()),
                80.0 * 40 - static_cast<double>(data.train.size()), 1e-6);
  }
  const std::vector<double> rows = count_rows(data.train.user, 80);
  std::size_t whole = 0;
  for (const double r : rows) whole += static_cast<std::size_t>(r) / 3 * 3;
  EXPECT_EQ(held, whole);
}

}  // namespace
}  // namespace equipoise
