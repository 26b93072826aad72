// What a history is worth: much where taste and exposure share a hidden factor, nothing where exposure is random.
#include <cmath>
#include <iostream>
#include <numeric>

#include "train/training.h"

namespace equipoise::test {
namespace {

constexpr int kPeople = 3000, kGoods = 60, kShown = 6, kHeldOut = 6;

/// θ_u and ψ_i in two dimensions. A user is shown items with odds e^(s θ·ψ), and likes one with logit 1.5 θ·ψ; valid
/// and test show uniform items. With `given`, θ_u is a feature of the user.
Dataset shared_factor_log(double s, bool given, std::uint64_t seed) {
  Dataset data = empty_log("shared factor", kPeople, kGoods);
  const auto factor = [&](const char* who, int e) {
    Stream stream(seed, who, static_cast<std::uint64_t>(e));
    const double a = stream.normal(), b = stream.normal();
    return std::pair(a, b);
  };
  if (given) data.user_features = {kPeople, {}, {{"a", {}}, {"b", {}}}};
  for (int u = 0; u < kPeople; ++u) {
    const auto [a, b] = factor("theta", u);
    if (given) {
      data.user_features.continuous[0].values.push_back(static_cast<float>(a));
      data.user_features.continuous[1].values.push_back(static_cast<float>(b));
    }
    Stream stream(seed, "rows", static_cast<std::uint64_t>(u));
    std::vector<std::pair<double, int>> keys, uniform;  // ascending keys are draws without replacement
    for (int i = 0; i < kGoods; ++i) {
      const auto [c, d] = factor("psi", i);
      keys.emplace_back(-std::log1p(-stream.uniform()) / std::exp(s * (a * c + b * d)), i);
      uniform.emplace_back(stream.uniform(), i);
    }
    std::sort(keys.begin(), keys.end()), std::sort(uniform.begin(), uniform.end());
    const auto show = [&](Rows& rows, int i) {
      const auto [c, d] = factor("psi", i);
      add_row(rows, u, i, stream.uniform() < 1 / (1 + std::exp(-1.5 * (a * c + b * d))));
    };
    for (int k = 0; k < kShown; ++k) show(data.train, keys[static_cast<std::size_t>(k)].second);
    for (int k = 0; k < kHeldOut; ++k) {
      show(k < 2 ? data.valid : data.test, uniform[static_cast<std::size_t>(k)].second);
    }
  }
  return data;
}

double auc_of(const Dataset& data, const std::string& history, std::uint64_t seed) {
  TrainParams train;
  train.epochs = 40;
  train.seed = seed;
  train.learning_rate = 0.005f;
  train.lambda = 1e-3f;
  const Trained trained =
      train_case({"base", "gmf"}, data, train, 1, {},
                 {{"history", history}, {"lambda_history", "1e-4"}, {"embedding", "32"}, {"start_deviation", "0.1"}});
  ValidationMetric test(data, Part::test, "auc", 10);
  return test(PoolScorer(*trained.recommender, one_thread()));
}

TEST(HistoryGain, WhereExposureSharesAFactorWithTasteHalfOfWhatTheFactorItselfWouldGain) {
  const Dataset hidden = shared_factor_log(1, false, 1), given = shared_factor_log(1, true, 1);
  double base = 0, history = 0, factor = 0;
  for (const std::uint64_t seed : {1, 2}) {
    base += auc_of(hidden, "none", seed) / 2;
    history += auc_of(hidden, "shown", seed) / 2;
    factor += auc_of(given, "none", seed) / 2;
  }
  std::cout << "test AUC: base " << base << ", history " << history << ", base with the factor " << factor << '\n';
  EXPECT_GT(factor - base, 0.03);
  EXPECT_GE(history - base, (factor - base) / 2);
}

TEST(HistoryGain, WhereExposureIsRandomNothing) {
  std::vector<double> gains;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Dataset data = shared_factor_log(0, false, seed);
    gains.push_back(auc_of(data, "shown", seed) - auc_of(data, "none", seed));
  }
  const double n = static_cast<double>(gains.size()), mean = std::accumulate(gains.begin(), gains.end(), 0.0) / n;
  double squares = 0;
  for (const double gain : gains) squares += (gain - mean) * (gain - mean);
  const double error = std::sqrt(squares / (n - 1) / n);
  std::cout << "gain of history: " << mean << " ± " << error << '\n';
  EXPECT_LE(std::abs(mean), std::max(2.78 * error, 0.004)) << "2.78: Student's t at 4 degrees, 95%";
}

}  // namespace
}  // namespace equipoise::test
