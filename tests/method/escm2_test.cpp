// escm2 against plain loops: exposure, risk, ctcvr and balance over one exposure; what each switch reaches.
#include "method/rival_loss.h"

namespace equipoise::test {
namespace {

/// Posed, with biases of exposure for users and items and nothing else in p̂.
class Escm2 : public Posed {
 public:
  Escm2(const Dataset& data, const Settings& settings, const World& world, const std::vector<float>& user,
        const std::vector<float>& item)
      : Posed("escm2", data, settings, world) {
    for (TrainedArray& p : network("p").arrays()) {
      std::fill(p.values().begin(), p.values().end(), 0.0f);
      if (p.name().ends_with("user.bias")) std::copy(user.begin(), user.end(), p.values().begin());
      if (p.name().ends_with("item.bias")) std::copy(item.begin(), item.end(), p.values().begin());
    }
  }
};

class Escm2Loss : public RivalLoss {
 protected:
  /// x = logit ω + b_u + b_i.
  Escm2 escm2(Settings settings) {
    settings.insert({{"propensity_clip", "0"}, {"ctcvr_weight", "0"}});  // unless they are there
    return Escm2(data_, settings, world_, user_, item_);
  }
  double p(std::size_t k) const {
    const auto items = static_cast<std::size_t>(world_.items);
    return sigma(std::log(omega_ / (1 - omega_)) + static_cast<double>(user_[k / items] + item_[k % items]));
  }
  double pi(std::size_t k) const { return p(k) * sigma(world_.f[k]); }
  double o(std::size_t k) const {
    for (std::size_t t = 0; t < data_.train.size(); ++t) {
      if (static_cast<std::size_t>(data_.train.user[t] * world_.items + data_.train.item[t]) == k) return 1;
    }
    return 0;
  }
  double exposure() const {
    return all_mean([&](auto k) { return -o(k) * std::log(p(k)) - (1 - o(k)) * std::log(1 - p(k)); });
  }
  double ips() const {
    return shown_mean([&](auto k, double) { return omega_ / p(k) * e(k); });
  }

  std::vector<float> user_ = {0.3f, -0.2f, 0.5f, 0, -0.6f, 0.1f, 0.2f}, item_ = {0.4f, -0.5f, 0.1f, -0.1f, 0.6f};
};

TEST_F(Escm2Loss, ExposureAndRisk) {
  EXPECT_NEAR(escm2({{"risk_weight", "0"}}).loss("fit"), exposure(), 1e-5);
  EXPECT_NEAR(escm2({{"risk_weight", "2"}}).loss("fit"), exposure() + 2 * ips(), 1e-5);
  const auto w = [&](std::size_t k) { return omega_ / p(k); };
  const double dr =
      all_mean([&](auto k) { return e_hat(k); }) + shown_mean([&](auto k, double) { return w(k) * (e(k) - e_hat(k)); });
  Escm2 doubly = escm2({{"risk", "dr"}});
  EXPECT_NEAR(doubly.loss("fit"), exposure() + dr, 1e-5);
  EXPECT_NEAR(doubly.loss("impute"), shown_mean([&](auto k, double) { return w(k) * std::pow(e(k) - e_hat(k), 2); }),
              1e-5);
}

TEST_F(Escm2Loss, CtcvrIsTheCrossEntropyOfBeingShownAndLiked) {
  const double ctcvr = all_mean([&](auto k) {
    const double y = o(k) * world_.label[k];
    return -y * std::log(pi(k)) - (1 - y) * std::log(1 - pi(k));
  });
  EXPECT_NEAR(escm2({{"risk_weight", "0"}, {"ctcvr_weight", "0.5"}}).loss("fit"), exposure() + 0.5 * ctcvr, 1e-5);
}

TEST_F(Escm2Loss, BalanceIsTheSquareOfItsMeanAndDoesNotReachF) {
  const double off = all_mean([&](auto k) { return (o(k) / p(k) - (1 - o(k)) / (1 - p(k))) * sigma(world_.f[k]); });
  EXPECT_GT(std::abs(off), 0.01);
  Escm2 balanced = escm2({{"risk_weight", "0"}, {"balance_weight", "3"}}), plain = escm2({{"risk_weight", "0"}});
  EXPECT_NEAR(balanced.loss("fit"), exposure() + 3 * off * off, 1e-4);
  EXPECT_NE(balanced.gradient("fit", "p", "user.bias"), plain.gradient("fit", "p", "user.bias"));
  EXPECT_EQ(balanced.gradient("fit", "f", "user.id"), plain.gradient("fit", "f", "user.id"));
}

TEST_F(Escm2Loss, TheRiskDoesNotReachThePropensities) {
  EXPECT_EQ(escm2({{"risk_weight", "5"}}).gradient("fit", "p", "user.bias"),
            escm2({{"risk_weight", "0"}}).gradient("fit", "p", "user.bias"));
}

TEST_F(Escm2Loss, OwnDimensionsAreOrthogonalToThoseOfF) {
  const Settings own = {{"risk_weight", "0"}, {"own_width", "2"}, {"orthogonality", "0.7"}};
  Escm2 posed = escm2(own);
  Settings without = own;
  without["orthogonality"] = "0";
  Escm2 loose = escm2(without);
  std::vector<std::vector<float>> u(2), q(2);
  for (TrainedArray& p : posed.network("own").arrays()) {
    if (p.name().ends_with("user.id")) u[0] = {p.values().begin(), p.values().end()};
    if (p.name().ends_with("item.id")) q[0] = {p.values().begin(), p.values().end()};
  }
  double total = 0;  // f's user vectors are the rows of its table, its item vectors the unit vectors
  const auto items = static_cast<std::size_t>(world_.items);
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t d = 0; d < items; ++d) {
      total += std::pow(all_mean([&](auto k) {
                          const std::size_t row = k / items;
                          return static_cast<double>(u[0][row * 2 + c]) * world_.f[row * items + d];
                        }),
                        2);
      total += std::pow(static_cast<double>(q[0][d * 2 + c]) / static_cast<double>(items), 2);
    }
  }
  EXPECT_GT(total, 1e-6);
  EXPECT_NEAR(posed.loss("fit") - loose.loss("fit"), 0.7 * total, 1e-5);
}

}  // namespace
}  // namespace equipoise::test
