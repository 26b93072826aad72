// Entropy balancing: the dual's slopes, moments that are met, weights that are recovered, targets that cannot be.
#include "propensity/entropy_balance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "core/random.h"
#include "data/temp_folder.h"
#include "propensity/moment_side.h"

namespace equipoise {
namespace {

struct Log {
  std::vector<std::int32_t> user, item;
  std::vector<double> weight;
  MomentSide users, items;

  WeightedRows rows() const { return {user, item, weight}; }
};

MomentSide random_side(std::size_t entities, std::size_t width, std::span<const std::int32_t> of_rows,
                       const char* name) {
  Floats memory(entities * width);
  Stream stream(3, name);
  for (float& v : memory) v = static_cast<float>(stream.normal());
  return moment_side({memory.data(), entities, width}, entities_with_rows(of_rows, entities), width, one_thread());
}

/// Pairs drawn with a chance ∝ exp(−½ s Σ_jk x_j y_k ...): users and items that lean to each other are shown more.
Log drawn_log(std::size_t users, std::size_t items, std::size_t rows, std::size_t width, double strength) {
  Log log;
  for (std::size_t u = 0; u < users; ++u) log.user.push_back(static_cast<std::int32_t>(u));
  for (std::size_t i = 0; i < items; ++i) log.item.push_back(static_cast<std::int32_t>(i));
  log.users = random_side(users, width, log.user, "users");
  log.items = random_side(items, width, log.item, "items");
  log.user.clear(), log.item.clear();
  Stream stream(7, "rows");
  while (log.user.size() < rows) {
    const auto u = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(users)));
    const auto i = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(items)));
    double lean = 0;
    for (std::size_t k = 1; k <= width; ++k) lean += log.users.row(u)[k] * log.items.row(i)[k];
    lean += log.users.row(u)[1] + 0.5 * log.items.row(i)[1];
    if (stream.uniform() < std::exp(std::min(0.0, strength * lean - 2))) log.user.push_back(u), log.item.push_back(i);
  }
  return log;
}

TEST(EntropyBalance, GradientAndHessianOfTheDualAreThoseOfCentralDifferences) {
  for (const auto& [users, items] : {std::pair<std::size_t, std::size_t>{30, 12}, {12, 30}}) {
    Log log = drawn_log(users, items, 200, 3, 0.5);
    for (std::size_t t = 0; t < log.user.size(); ++t) log.weight.push_back(0.5 + static_cast<double>(t % 3));
    const EntropyBalance balance(log.rows(), log.users, log.items, one_thread());
    const std::size_t n = balance.moments();
    ASSERT_EQ(n, 15U);
    std::vector<double> lambda(n), gradient(n), hessian(n * n), up(n), down(n);
    Stream stream(1, "lambda");
    for (double& l : lambda) l = 0.3 * stream.normal();
    balance.dual(lambda, 0.2, gradient, hessian);
    for (std::size_t k = 0; k < n; ++k) {
      const double before = lambda[k], step = 1e-5;
      lambda[k] = before + step;
      const double high = balance.dual(lambda, 0.2, up, {});
      lambda[k] = before - step;
      const double low = balance.dual(lambda, 0.2, down, {});
      lambda[k] = before;
      EXPECT_NEAR(gradient[k], (high - low) / (2 * step), 1e-8);
      for (std::size_t m = 0; m < n; ++m) EXPECT_NEAR(hessian[k * n + m], (up[m] - down[m]) / (2 * step), 1e-7);
    }
  }
}

// By loops over the rows: the dual as it is defined.
TEST(EntropyBalance, TheDualIsItsEquation) {
  const Log log = drawn_log(10, 8, 60, 2, 0.5);
  const EntropyBalance balance(log.rows(), log.users, log.items, one_thread());
  const std::vector<double> zero(balance.moments(), 0.0);
  EXPECT_NEAR(balance.dual(zero, 1, {}, {}), 0, 1e-12);
  BalancingWeights found = balance.balance(0.5);
  double sum = 0, squares = 0;
  std::vector<double> moment(9, 0.0);
  for (std::size_t t = 0; t < 60; ++t) {
    const double *x = log.users.row(log.user[t]), *y = log.items.row(log.item[t]);
    const double w = found.factor(x, 3, y, 3);
    sum += w, squares += w * w;
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) moment[j * 3 + k] += w * x[j] * y[k] / 60;
    }
  }
  EXPECT_NEAR(sum, 60, 1e-6);  // weights average to 1
  EXPECT_NEAR(sum * sum / squares / 60, found.effective, 1e-9);
  EXPECT_GE(found.effective, 0.5);
}

TEST(EntropyBalance, MeetsTheMomentsOfAllPairsWhereItMay) {
  const Log log = drawn_log(200, 60, 6000, 4, 0.5);
  const EntropyBalance balance(log.rows(), log.users, log.items, one_thread());
  const BalancingWeights found = balance.balance(0);
  EXPECT_EQ(found.rho, 0);
  EXPECT_GT(found.moments_before, 0.05);
  EXPECT_LT(found.largest_moment, 1e-6);
  // The weighted log against the mean over all 200 × 60 pairs, moment by moment, without the solver's own sums.
  for (std::size_t j = 0; j < 5; ++j) {
    for (std::size_t k = 0; k < 5; ++k) {
      double weighted = 0, all = 0;
      for (std::size_t t = 0; t < log.user.size(); ++t) {
        const double *x = log.users.row(log.user[t]), *y = log.items.row(log.item[t]);
        weighted += found.factor(x, 5, y, 5) * x[j] * y[k] / static_cast<double>(log.user.size());
      }
      for (std::int32_t u = 0; u < 200; ++u) {
        for (std::int32_t i = 0; i < 60; ++i) all += log.users.row(u)[j] * log.items.row(i)[k] / 12000;
      }
      EXPECT_NEAR(weighted, all, 1e-6) << j << " " << k;
    }
  }
  // With a floor that does not bind the answer is the same.
  const BalancingWeights floored = balance.balance(0.01);
  EXPECT_EQ(floored.rho, 0);
  for (std::size_t k = 0; k < found.lambda.size(); ++k) EXPECT_NEAR(floored.lambda[k], found.lambda[k], 1e-5);
}

TEST(EntropyBalance, RecoversWeightsThatAreLogLinear) {
  Log log = drawn_log(2000, 300, 40000, 3, 0);
  // Each uniform pair is kept with the chance ∝ 1 ÷ w, w = exp(λᵀψ) for a λ of every moment.
  std::vector<double> truth(16);
  Stream stream(5, "truth");
  for (double& l : truth) l = 0.1 * stream.normal();
  const auto weight = [&](std::size_t t) {
    BalancingWeights exact;
    exact.lambda = truth;
    return exact.factor(log.users.row(log.user[t]), 4, log.items.row(log.item[t]), 4);
  };
  Log kept;
  kept.users = log.users, kept.items = log.items;
  std::vector<double> w;
  for (std::size_t t = 0; t < log.user.size(); ++t) {
    if (stream.uniform() * 3 > 1 / weight(t)) continue;
    kept.user.push_back(log.user[t]), kept.item.push_back(log.item[t]);
    w.push_back(weight(t));
  }
  ASSERT_GT(w.size(), 8000U);
  const BalancingWeights found = EntropyBalance(kept.rows(), kept.users, kept.items, one_thread()).balance(0.05);
  double xy = 0, xx = 0, yy = 0, mx = 0, my = 0;
  const auto n = static_cast<double>(w.size());
  std::vector<double> estimated;
  for (std::size_t t = 0; t < w.size(); ++t) {
    estimated.push_back(found.factor(kept.users.row(kept.user[t]), 4, kept.items.row(kept.item[t]), 4));
    mx += w[t] / n, my += estimated[t] / n;
  }
  for (std::size_t t = 0; t < w.size(); ++t) {
    xy += (w[t] - mx) * (estimated[t] - my), xx += std::pow(w[t] - mx, 2), yy += std::pow(estimated[t] - my, 2);
  }
  EXPECT_GT(xy / std::sqrt(xx * yy), 0.98);
}

TEST(EntropyBalance, TheFloorOfTheEffectiveSampleIsKept) {
  const Log log = drawn_log(60, 40, 400, 6, 1);
  const EntropyBalance balance(log.rows(), log.users, log.items, one_thread());
  double before = 2;
  for (const double floor : {0.9, 0.6, 0.3}) {
    const BalancingWeights found = balance.balance(floor);
    EXPECT_GE(found.effective, floor);
    EXPECT_LT(found.effective, floor + 0.05);
    EXPECT_LT(found.moments_after, before);
    before = found.moments_after;
  }
}

// Users with x > 0 alone were shown anything but item 0: no weights give item 0 the users of all pairs.
TEST(EntropyBalance, ATargetThatNothingShownCanReachEndsInOneLine) {
  Log log;
  Floats x, y;
  for (std::int32_t u = 0; u < 20; ++u) {
    x.push_back(static_cast<float>(u) - 9.5f);
    log.user.push_back(u), log.item.push_back(u < 10 ? 0 : 1);
  }
  y = {0, 1};
  log.users = moment_side({x.data(), 20, 1}, entities_with_rows(log.user, 20), 1, one_thread());
  log.items = moment_side({y.data(), 2, 1}, entities_with_rows(log.item, 2), 1, one_thread());
  const EntropyBalance balance(log.rows(), log.users, log.items, one_thread());
  const std::string said = test::error_of<CheckError>([&] { balance.balance(0); });
  EXPECT_NE(said.find("outside of what was shown"), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos);
  EXPECT_GE(balance.balance(0.3).effective, 0.3);  // as far as the floor allows there is an answer
}

TEST(EntropyBalance, ThreadsDoNotChangeABit) {
  const Log log = drawn_log(900, 400, 9000, 3, 0.5);
  Pool four(4);
  const BalancingWeights one = EntropyBalance(log.rows(), log.users, log.items, one_thread()).balance(0.3),
                         more = EntropyBalance(log.rows(), log.users, log.items, four).balance(0.3);
  EXPECT_EQ(one.lambda, more.lambda);
}

// The size of Yahoo! R3 with 17 × 18 − 1 moments.
TEST(EntropyBalance, SolvesThreeHundredMomentsOverThreeHundredThousandRows) {
  const Log log = drawn_log(15400, 1000, 311704, 17, 0.05);
  ASSERT_EQ(log.users.width, 18U);
  const std::clock_t start = std::clock();  // of the processor: the machine may be busy
  const EntropyBalance balance(log.rows(), log.users, log.items, one_thread());
  EXPECT_GE(balance.moments(), 300U);
  const BalancingWeights found = balance.balance(0.3);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("seconds", std::to_string(seconds));
  RecordProperty("steps", found.steps);
  EXPECT_LT(found.moments_after, 0.2 * found.moments_before);
  EXPECT_LT(seconds, 10);
}

}  // namespace
}  // namespace equipoise
