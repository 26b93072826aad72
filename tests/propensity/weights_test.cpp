// Weights by propensity: clipped, reported, near 1 on average; and the index of a log's pairs.
#include "propensity/weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/text.h"
#include "propensity/pair_index.h"
#include "stopping.h"

namespace equipoise {
namespace {

TEST(PairIndex, FindsTheFirstRowOfAPair) {
  Rows log;
  log.user = {1, 0, 1, 1, 3};
  log.item = {4, 2, 0, 4, 1};
  const PairIndex index(log, 4);
  EXPECT_EQ(index.find(1, 4), 0);
  EXPECT_EQ(index.find(0, 2), 1);
  EXPECT_EQ(index.find(1, 0), 2);
  EXPECT_EQ(index.find(3, 1), 4);
  EXPECT_EQ(index.find(2, 1), -1);
  EXPECT_EQ(index.find(3, 2), -1);
  EXPECT_EQ(index.find(0, 0), -1);
  EXPECT_EQ(index.pairs(), 4U);
}

TEST(Weights, AreClippedAndReported) {
  const std::vector<float> p{0.1f, 0.2f, 0.4f, 0.01f};
  const Weights w = weigh(p, 0.2, 0.25);  // nothing below 0.05
  EXPECT_FLOAT_EQ(w.values[0], 2);
  EXPECT_FLOAT_EQ(w.values[1], 1);
  EXPECT_FLOAT_EQ(w.values[2], 0.5f);
  EXPECT_FLOAT_EQ(w.values[3], 4);
  EXPECT_DOUBLE_EQ(w.clipped, 0.25);
  EXPECT_NEAR(w.mean, 7.5 / 4, 1e-6);
  EXPECT_NEAR(w.largest, 4, 1e-6);
  EXPECT_NEAR(w.effective, 7.5 * 7.5 / (4 + 1 + 0.25 + 16) / 4, 1e-6);
  EXPECT_NEAR(w.lowest_propensity, 0.01, 1e-8);
  EXPECT_NEAR(w.highest_propensity, 0.4, 1e-7);
  EXPECT_FLOAT_EQ(weigh(p, 0.2, 0).values[3], 20);
  EXPECT_EQ(weigh(p, 0.2, 0).clipped, 0);
  EXPECT_TRUE(std::isfinite(weigh(std::vector<float>{0.0f}, 0.2, 0).values[0]));
}

// Densities that a float cannot hold exactly: the clip, a double, may be a hair above the float that is equal to it.
TEST(Weights, WhatTheClipDoesNotChangeIsNotClipped) {
  for (const double density : {1.0 / 3, 0.1, 0.2, 1.0 / 7, 0.0123}) {
    for (const double clip : {1.0, 0.1, 0.3}) {
      const std::vector<float> at(4, static_cast<float>(clip * density));
      EXPECT_EQ(weigh(at, density, clip).clipped, 0) << density << " " << clip;
      const std::vector<float> under(4, static_cast<float>(0.999 * clip * density));
      EXPECT_EQ(weigh(under, density, clip).clipped, 1) << density << " " << clip;
    }
  }
}

TEST(Weights, EffectiveShare) {
  EXPECT_DOUBLE_EQ(effective_share(std::vector<float>{3, 3, 3, 3}), 1);
  EXPECT_DOUBLE_EQ(effective_share(std::vector<float>{5, 0, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(effective_share(std::vector<float>{1, 3}), 16.0 / 10 / 2);
  EXPECT_EQ(effective_share(std::vector<float>{0, 0}), 0);
}

// 30 rows of propensity 0.5 and one of 0.00002: nearly all of the weight is the one row's, 1 ÷ 31 of the rows.
TEST(Weights, SoUnequalThatFewRowsCountAreWarnedOf) {
  Dataset data;
  for (int e = 0; e < 31; ++e) data.users.add("u" + std::to_string(e));
  data.items.add("a"), data.items.add("b");
  for (std::int32_t u = 0; u < 31; ++u) {
    data.train.user.push_back(u), data.train.item.push_back(u % 2), data.train.label.push_back(1.0f);
    data.train.propensity.push_back(u == 7 ? 0.00002f : 0.5f);
  }
  const auto said = [&](const char* clip) {
    PropensityWeights weights;
    Params params;
    weights.describe(params);
    params.set("propensity", "given");
    params.set("propensity_clip", clip);
    const test::Hearing hearing;
    weights.read(data, 1);
    return join(hearing.warnings, "\n");
  };
  const std::string text = said("0");
  EXPECT_NE(text.find("the weights of propensity = given are so unequal that the log is worth only 3.2% of its rows"),
            std::string::npos)
      << text;
  EXPECT_EQ(said("0.1"), "") << "the clip makes the effective sample large enough";
}

TEST(Weights, AverageToOneOverTheItemsThatWereShown) {
  // Σ over rows of ω U ÷ T_i is ω U for every item with a row.
  Dataset data;
  for (int e = 0; e < 12; ++e) data.users.add("u" + std::to_string(e)), data.items.add("i" + std::to_string(e));
  for (std::int32_t u = 0; u < 12; ++u) {
    for (std::int32_t i = 0; i < 9; ++i) {  // items 9, 10 and 11 are never shown
      if ((u + i) % (i + 1) == 0) data.train.user.push_back(u), data.train.item.push_back(i);
    }
  }
  data.train.label.assign(data.train.size(), 1.0f);
  PropensityWeights weights;
  Params params;
  weights.describe(params);
  params.set("propensity", "popularity");
  params.set("propensity_clip", "0");
  weights.read(data, 1);
  EXPECT_NEAR(weights.weights().mean, 9.0 / 12, 1e-6);
  const Json findings = weights.findings();
  EXPECT_EQ(findings.at("propensity").as_string(), "popularity");
  EXPECT_EQ(findings.at("propensity_clipped_share").as_double(), 0);
  EXPECT_NEAR(findings.at("weight_mean").as_double(), 0.75, 1e-6);
}

}  // namespace
}  // namespace equipoise
