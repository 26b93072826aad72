// The paired test over users and seeds: hand-computed cases, and how often it cries wolf.
#include "eval/contrast.h"

#include <gtest/gtest.h>

#include <cmath>

#include "eval/distributions.h"
#include "eval/evaluation.h"
#include "eval/toy.h"

namespace equipoise {
namespace {

TEST(Contrast, HandComputed) {
  // Seeds' differences 1, 2, 3: mean 2, variance 1, so v_seeds = 1/3. Resampled means 1.5, 2, 2.5: v_users = 1/4.
  const std::vector<RunValue> a = {{1, {1, 2, 3}}, {2, {1.5, 2, 2.5}}, {3, {2, 2, 2}}};
  const std::vector<RunValue> b = {{0, {0, 0, 0}}, {0, {0, 0, 0}}, {0, {0, 0, 0}}};
  const Contrast c = contrast(a, b, 10);
  EXPECT_NEAR(c.difference, 2, 1e-12);
  EXPECT_NEAR(c.standard_error, std::sqrt(1.0 / 3 + 1.0 / 4), 1e-12);
  EXPECT_NEAR(c.degrees, std::pow(7.0 / 12, 2) / (1.0 / 16 / 9 + 1.0 / 9 / 2), 1e-12);
  EXPECT_NEAR(c.p, student_two_sided(2 / c.standard_error, c.degrees), 1e-15);
  EXPECT_NEAR(c.effect, 2 / std::sqrt(10.0 / 4), 1e-12);
  // The interval ends where the test is on the edge.
  EXPECT_NEAR(student_two_sided((c.high - 2) / c.standard_error, c.degrees), 0.05, 1e-9);
  EXPECT_NEAR(c.low + c.high, 4, 1e-12);
  const Contrast other = contrast(b, a, 10);
  EXPECT_EQ(other.difference, -c.difference);
  EXPECT_EQ(other.p, c.p);
}

TEST(Contrast, WithoutAnyVariance) {
  const std::vector<RunValue> a = {{1, {1, 1}}, {1, {1, 1}}}, b = {{0, {0, 0}}, {0, {0, 0}}};
  EXPECT_EQ(contrast(a, a, 5).p, 1);
  EXPECT_TRUE(std::isnan(contrast(a, b, 5).low));
  EXPECT_TRUE(std::isnan(contrast(a, b, 5).p));  // a difference that nothing speaks for or against
}

TEST(Contrast, OneSeedIsNoTest) {
  const std::vector<RunValue> a = {{1, {0.9, 1, 1.1}}}, b = {{0, {0, 0, 0}}};
  const Contrast c = contrast(a, b, 5);
  EXPECT_TRUE(std::isnan(c.p));
  EXPECT_NEAR((c.high - c.difference) / c.standard_error, 2.776445, 1e-5) << "an interval over the five users";
}

TEST(Contrast, WithoutResamplesItIsThePairedTTestOverSeeds) {
  const std::vector<RunValue> a = {{1, {}}, {2, {}}, {4, {}}}, b = {{0, {}}, {0, {}}, {0, {}}};
  const Contrast c = contrast(a, b, 5);
  EXPECT_NEAR(c.degrees, 2, 1e-12);
  EXPECT_NEAR(c.standard_error, std::sqrt(7.0 / 3 / 3), 1e-12);
  EXPECT_TRUE(std::isnan(c.effect));
}

TEST(Contrast, IsNarrowerThanTwoIntervalsApart) {
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
  EvaluationPlan plan;
  plan.k = 5;
  plan.replicates = 300;
  const auto run = [&](const Evaluation& e) { return RunValue{e.mean("ndcg"), e.resampled.at("ndcg")}; };
  const Evaluation x = evaluate(a, data, plan, pool), y = evaluate(FunctionScorer(both), data, plan, pool);
  const std::vector<RunValue> p = {run(x)}, q = {run(y)};
  const Contrast c = contrast(p, q, x.users.size());
  EXPECT_NEAR(c.difference, x.mean("ndcg") - y.mean("ndcg"), 1e-12);
  EXPECT_LT(2 * 1.96 * c.standard_error, 0.5 * (x.at("ndcg").high - x.at("ndcg").low));
  // The effect is the mean difference over users in units of its deviation between them.
  const std::vector<double>&u = x.per_user.at("ndcg"), &v = y.per_user.at("ndcg");
  double n = 0, sum = 0, squares = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (std::isnan(u[k])) continue;
    n += 1, sum += u[k] - v[k], squares += (u[k] - v[k]) * (u[k] - v[k]);
  }
  const double deviation = std::sqrt((squares - sum * sum / n) / (n - 1));
  const Contrast ranked = contrast(p, q, static_cast<std::size_t>(n));
  EXPECT_NEAR(ranked.effect, sum / n / deviation, 0.15 * std::abs(sum / n / deviation));
}

// Arms that differ by luck alone: each seed and each user adds noise of its own to every arm.
TEST(Contrast, CriesWolfNoMoreOftenThanItSays) {
  int wolves = 0;
  const int trials = 1000;
  for (int t = 0; t < trials; ++t) {
    Stream draw(4, "null", static_cast<std::uint64_t>(t));
    const std::size_t users = 60, seeds = 5, replicates = 100;
    std::vector<std::vector<RunValue>> arms(2);
    std::vector<std::vector<std::vector<double>>> value(2);  // arm, seed, user
    for (auto& arm : value) {
      std::vector<double> taste(users);  // what the arm does with each user whatever the seed
      for (double& x : taste) x = draw.normal();
      arm.resize(seeds);
      for (auto& seed : arm) {
        const double shift = 0.2 * draw.normal();  // a seed that is good for everybody
        for (std::size_t u = 0; u < users; ++u) seed.push_back(taste[u] + shift + 0.5 * draw.normal());
      }
    }
    for (std::size_t k = 0; k < 2; ++k) {
      for (const auto& seed : value[k]) {
        RunValue run;
        for (const double x : seed) run.value += x / static_cast<double>(users);
        for (std::size_t r = 0; r < replicates; ++r) {
          Stream stream(7, "users", r);
          double sum = 0;
          for (std::size_t u = 0; u < users; ++u) sum += seed[stream.below(static_cast<std::uint32_t>(users))];
          run.resampled.push_back(sum / static_cast<double>(users));
        }
        arms[k].push_back(run);
      }
    }
    wolves += contrast(arms[0], arms[1], users).p < 0.05;
  }
  EXPECT_LE(wolves, 0.065 * trials);  // 0.05 and two deviations of 0.007
  EXPECT_GE(wolves, 0.005 * trials);  // a test that never speaks is none
}

TEST(Holm, HandComputed) {
  const std::vector<double> p = {0.04, 0.01, 0.03, 0.9};
  const std::vector<double> expected = {0.09, 0.04, 0.09, 0.9};  // 0.01·4; 0.03·3; max(0.09, 0.04·2); 0.9
  const std::vector<double> corrected = holm(p);
  for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(corrected[k], expected[k], 1e-12) << k;
  EXPECT_TRUE(holm({}).empty());
  EXPECT_EQ(holm(std::vector<double>{0.7, 0.8}), (std::vector<double>{1, 1}));
}

TEST(Holm, WhatCannotBeTestedCountsAsATest) {
  const std::vector<double> corrected = holm(std::vector<double>{0.02, std::nan("")});
  EXPECT_NEAR(corrected[0], 0.04, 1e-12);
  EXPECT_TRUE(std::isnan(corrected[1]));
}

}  // namespace
}  // namespace equipoise
