// The variants of dr against plain loops: their losses, their weights for g, and where the gradient goes.
#include "core/error.h"
#include "data/temp_folder.h"
#include "method/rival_loss.h"

namespace equipoise::test {
namespace {

class DrVariant : public RivalLoss {
 protected:
  DrVariant() { data_.known_chance.assign(world_.p.begin(), world_.p.end()); }

  Posed variant(const std::string& name, Settings settings = {}) {
    settings.insert(kGiven.begin(), kGiven.end());
    settings["variant"] = name;
    return posed("dr", settings);
  }
  double joint() const {
    return all_mean([&](auto k) { return e_hat(k); }) +
           shown_mean([&](auto k, double w) { return w * (e(k) - e_hat(k)); });
  }
  /// shown[v (e − ê)²], v divided by its mean over the log.
  template <class V>
  double imputation(V v) const {
    return shown_mean([&](auto k, double) { return v(world_.p[k]) * std::pow(e(k) - e_hat(k), 2); }) /
           shown_mean([&](auto k, double) { return v(world_.p[k]); });
  }
  double odds(std::size_t k) const { return 1 / world_.p[k] - 1; }
  double targeted_epsilon() const {
    return shown_mean([&](auto k, double) { return odds(k) * (e(k) - e_hat(k)); }) /
           shown_mean([&](auto k, double) { return odds(k) * odds(k); });
  }
  /// drawn[k] − shown[w k], which ε is multiplied with
  double lever() const {
    return all_mean([&](auto k) { return odds(k); }) - shown_mean([&](auto k, double w) { return w * odds(k); });
  }
};

TEST_F(DrVariant, GsWeightsAreThoseOfThePapers) {
  const auto variance = [](double p) { return (1 - p) / (p * p); };
  const auto bias = [](double p) { return (1 - p) * (1 - p) / (p * p * p); };
  EXPECT_NEAR(variant("mrdr").loss("impute"), imputation(variance), 1e-5);
  EXPECT_NEAR(variant("dr-bias").loss("impute"), imputation(bias), 1e-5);
  EXPECT_NEAR(variant("dr-mse", {{"mse_bias", "0.25"}}).loss("impute"),
              0.25 * imputation(bias) + 0.75 * imputation(variance), 1e-5);
  for (const char* name : {"mrdr", "dr-bias", "dr-mse"}) EXPECT_NEAR(variant(name).loss("fit"), joint(), 1e-5) << name;
}

TEST_F(DrVariant, PublishedIsIpsAndImputedErrorsOfWhatWasNotShown) {
  const double ips = shown_mean([&](auto k, double w) { return w * e(k); });
  std::vector<double> unshown(world_.pairs(), 1.0);
  for (std::size_t t = 0; t < data_.train.size(); ++t) {
    unshown[static_cast<std::size_t>(data_.train.user[t] * world_.items + data_.train.item[t])] = 0;
  }
  EXPECT_NEAR(variant("published").loss("fit"), ips + all_mean([&](auto k) { return unshown[k] * e_hat(k); }), 1e-5);
}

TEST_F(DrVariant, TdrIsItsEquation) {
  EXPECT_GT(std::abs(targeted_epsilon() * lever()), 1e-3);
  EXPECT_NEAR(variant("tdr").loss("fit"), joint() + targeted_epsilon() * lever(), 1e-5);
}

// L_tdr = L_dr + ε·(drawn[k] − shown[w k]): with ε held the difference does not depend on f, so that f's gradient is
// dr's exactly; what tdr adds is the gradient of ε.
TEST_F(DrVariant, TdrsGradientIsDrsAndThatOfEpsilon) {
  Posed tdr = variant("tdr"), dr = variant("joint");
  const std::vector<float> with = tdr.gradient("fit", "f", "user.id"), without = dr.gradient("fit", "f", "user.id");
  double difference = 0;
  for (std::size_t k = 0; k < world_.pairs(); ++k) {
    const double f = world_.f[k], step = 1e-4;
    world_.f[k] = f + step;
    const double up = targeted_epsilon();
    world_.f[k] = f - step;
    const double slope = (up - targeted_epsilon()) / (2 * step);
    world_.f[k] = f;
    const double held = static_cast<double>(with[k]) - slope * lever();
    EXPECT_NEAR(held, without[k], 2e-5) << k;
    difference += std::abs(slope * lever());
  }
  EXPECT_GT(difference, 1e-3) << "ε moves with f";
}

TEST_F(DrVariant, SuperDrIsItsEquationAndThePapersFormIsAnother) {
  const double epsilon = 0.4;
  const auto e_tilde = [&](std::size_t k) { return e_hat(k) + epsilon * (1 - world_.p[k]); };
  const double shown = shown_mean([&](auto k, double w) { return w * (e(k) - e_tilde(k)); });
  Posed ours = variant("super-dr"), paper = variant("super-dr-paper");
  for (Posed* posed : {&ours, &paper}) {
    posed->network("epsilon").arrays().front().values()[0] = static_cast<float>(epsilon);
    const double imputation = shown_mean([&](auto k, double w) { return w * std::pow(e(k) - e_tilde(k), 2); });
    EXPECT_NEAR(posed->loss("impute"), imputation / shown_mean([](auto, double w) { return w; }), 1e-5);
  }
  EXPECT_NEAR(ours.loss("fit"), all_mean(e_tilde) + shown, 1e-5);
  std::vector<double> o(world_.pairs(), 0.0);
  for (std::size_t t = 0; t < data_.train.size(); ++t) {
    o[static_cast<std::size_t>(data_.train.user[t] * world_.items + data_.train.item[t])] = 1;
  }
  EXPECT_NEAR(paper.loss("fit"), all_mean([&](auto k) { return e_hat(k) + epsilon * (o[k] - world_.p[k]); }) + shown,
              1e-5);
}

TEST_F(DrVariant, StableDrIsItsEquations) {
  Posed stable = variant("stable-dr", {{"tie", "0.7"}});
  const Table h = World(7, 5, 0.3, 3).g;
  stable.pose("h", h);
  const auto chance = [&](std::size_t k) { return sigma(std::log(world_.p[k] / (1 - world_.p[k])) + h[k]); };
  const auto weighted = [&](auto value) {
    return shown_mean([&](auto k, double) { return omega_ / chance(k) * value(k); });
  };
  const double total = weighted([](auto) { return 1.0; });
  EXPECT_NEAR(stable.loss("fit"), weighted([&](auto k) { return e(k); }) / total, 1e-5);
  EXPECT_NEAR(stable.loss("impute"), weighted([&](auto k) { return std::pow(e(k) - e_hat(k), 2); }) / total, 1e-5);
  double exposure = all_mean([&](auto k) { return -std::log(1 - chance(k)); });
  exposure += omega_ * shown_mean([&](auto k, double) { return std::log(1 - chance(k)) - std::log(chance(k)); });
  const double mean_imputed = all_mean([&](auto k) { return e_hat(k); });
  const double off = weighted([&](auto k) { return e_hat(k) - mean_imputed; });
  EXPECT_NEAR(stable.loss("tie"), exposure + 0.7 * off * off, 1e-5);
}

TEST_F(DrVariant, WhatAsksForEveryPairRefusesWhatKnowsShownOnesOnly) {
  data_.known_chance.clear();
  for (const char* name : {"tdr", "super-dr", "super-dr-paper", "stable-dr"}) {
    const std::string error = error_of<UsageError>([&] { variant(name); });
    EXPECT_NE(error.find(std::string("variant = ") + name), std::string::npos) << error;
    EXPECT_NE(error.find("propensity = given knows shown ones only"), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  for (const char* name : {"mrdr", "dr-bias", "dr-mse", "published"}) EXPECT_NO_THROW(variant(name)) << name;
}

TEST_F(DrVariant, BoundedPropensitiesAreDIpsAndDDr) {
  const double r = 0.3;
  const auto chance = [&](std::size_t k) { return std::max(std::log2(1 + world_.p[k]), 2 * r * (1 - world_.p[k])); };
  const auto w = [&](std::size_t k) { return omega_ / chance(k); };
  const Settings bounded = {{"propensity", "given"}, {"propensity_clip", "0"}, {"propensity_bound", "0.3"}};
  EXPECT_NEAR(
      posed("ips", bounded).loss("fit"),
      shown_mean([&](auto k, double) { return w(k) * e(k); }) / shown_mean([&](auto k, double) { return w(k); }), 1e-5)
      << "d-ips divides w by its mean";
  Posed dr = posed("dr", bounded);
  EXPECT_NEAR(dr.loss("fit"), all_mean([&](auto k) { return e_hat(k); }) + shown_mean([&](auto k, double) {
                                return w(k) * (e(k) - e_hat(k));
                              }),
              1e-5)
      << "d-dr does not";
}

TEST(DrWeights, AllAlikeWherePropensitiesAreOne) {
  World world(4, 3, 0.3);
  std::fill(world.p.begin(), world.p.end(), 1.0);
  const Dataset data = expose(world, world.p, 1);
  for (const char* name : {"mrdr", "dr-bias", "dr-mse"}) {
    Settings settings = kGiven;
    settings["variant"] = name;
    Posed posed("dr", data, settings, world);
    EXPECT_TRUE(std::isfinite(posed.loss("impute"))) << name;
  }
}

}  // namespace
}  // namespace equipoise::test
