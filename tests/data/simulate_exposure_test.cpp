// The simulator's exposure beyond the printed formula: strength, instruments and propensities.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "data/simulate/simulate.h"
#include "data/simulate/world.h"

namespace equipoise {
namespace {

SimulateParams small_world() {
  SimulateParams params;
  params.users = 300;
  params.items = 12;
  params.width = 8;
  return params;
}

// Logs of before: what is new must not change them.
TEST(Simulate, WhatIsNotAskedForChangesNothing) {
  SimulateParams params = small_world();
  const std::string before = simulate(params).fingerprint();
  params.instrument = 0, params.strength = 0, params.propensity = false;
  EXPECT_EQ(simulate(params).fingerprint(), before);
  params.propensity = true;
  const Dataset with = simulate(params), without = simulate(small_world());
  EXPECT_EQ(with.train.item, without.train.item) << "the same lists, with their chances";
  EXPECT_EQ(with.train.propensity.size(), with.train.size());
  EXPECT_EQ(without.provenance.find("strength"), nullptr);
}

TEST(Simulate, InstrumentsTakeOverExposureAndNoLabel) {
  SimulateParams params = small_world();
  params.instrument = 1;
  params.strength = 1;
  params.noise = 0;
  const Dataset data = simulate(params);
  EXPECT_EQ(data.user_features.continuous.size(), 16u);
  EXPECT_EQ(data.user_features.continuous[8].name, "r1");
  EXPECT_EQ(data.item_features.continuous[8].name, "s1");
  SimulatedWorld world(params), without(small_world());
  for (int u = 0; u < 30; ++u) {
    world.move_to(u), without.move_to(u);
    for (int j = 0; j < params.items; ++j) {
      EXPECT_EQ(world.label(j), without.label(j));
      // r = σ(−(¼ (P' + Q') + ½ + ½ z) + P̃' Q̃'), with the instruments' sums alone
      const auto sum = [](const SimulatedFeatures& f) {
        double out = 0;
        for (const float v : f.values) out += v > 0 ? v - 0.5 : 0;
        return out;
      };
      const double mean = 1 / std::sqrt(2 * M_PI) - 0.25, square = 0.625 - 1 / std::sqrt(2 * M_PI);
      const auto standard = [&](double x) { return (x - 8 * mean) / std::sqrt(8 * (square - mean * mean)); };
      const double p = sum(world.user().instrument), q = sum(world.item(j).instrument);
      const double own = sum(without.user().own) + sum(without.item(j).own);
      const double z =
          2 * (-std::log(1 / (1 / without.exposure_odds()[static_cast<std::size_t>(j)] - 1)) - 0.25 * own - 0.5);
      const double odds = world.exposure_odds()[static_cast<std::size_t>(j)];
      EXPECT_NEAR(-std::log(1 / odds - 1), -(0.25 * (p + q) + 0.5 + 0.5 * z) + standard(p) * standard(q), 0.11) << u;
    }
  }
}

TEST(Simulate, StrengthGivesUsersItemsLikeThemselves) {
  SimulateParams params;
  params.users = 2000;
  const auto together = [&](double strength) {
    params.strength = strength;
    const Dataset data = simulate(params);
    SimulatedWorld world(params);
    std::vector<double> own(static_cast<std::size_t>(params.users));
    for (int u = 0; u < params.users; ++u) world.meet(u), own[static_cast<std::size_t>(u)] = world.user().own.positive;
    double sum = 0, a = 0, b = 0, aa = 0, bb = 0;
    for (std::size_t r = 0; r < data.train.size(); ++r) {
      const double x = own[static_cast<std::size_t>(data.train.user[r])],
                   y = world.item(data.train.item[r]).own.positive;
      sum += x * y, a += x, b += y, aa += x * x, bb += y * y;
    }
    const auto n = static_cast<double>(data.train.size());
    return (sum - a * b / n) / std::sqrt((aa - a * a / n) * (bb - b * b / n));
  };
  EXPECT_LT(std::abs(together(0)), 0.1);
  EXPECT_GT(together(1), 0.25);
}

TEST(Simulate, PropensitiesAreTheChancesToBeShown) {
  SimulateParams params;
  params.users = 4000;
  params.items = 7;
  params.list_length = 2;
  params.width = 4;
  params.strength = 1;
  params.propensity = true;
  const Dataset data = simulate(params);
  // Weights of 1 ÷ p make each user's list stand for all items that it could hold.
  std::vector<int> held(4000, 0);
  for (const Rows* rows : {&data.valid, &data.test}) {
    for (const int u : rows->user) ++held[static_cast<std::size_t>(u)];
  }
  double inverse = 0, squares = 0, items = 0;
  for (std::size_t r = 0; r < data.train.size(); ++r) {
    ASSERT_TRUE(data.train.propensity[r] > 0 && data.train.propensity[r] <= 1);
    const double w = 1 / static_cast<double>(data.train.propensity[r]);
    inverse += w, squares += w * w;
  }
  for (const int n : held) items += 7 - n;
  EXPECT_NEAR(inverse, items, 4 * std::sqrt(squares));
  EXPECT_NEAR(inverse / items, 1, 0.05);
  params.law = "zipf";
  EXPECT_THROW(simulate(params), UsageError);
}

}  // namespace
}  // namespace equipoise
