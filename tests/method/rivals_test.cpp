// The rivals' losses against plain loops over one exposure.
#include <optional>

#include "method/rival_loss.h"

namespace equipoise::test {
namespace {

TEST_F(RivalLoss, Ips) {
  data_.train.weight[0] = 3;  // the log's own weight counts too
  EXPECT_NEAR(posed("ips", kGiven).loss("fit"), shown_mean([&](auto k, double w) { return w * e(k); }), 1e-5);
  const double unweighted = shown_mean([&](auto k, double) { return e(k); });
  EXPECT_NEAR(posed("ips", {{"propensity", "uniform"}}).loss("fit"), unweighted, 1e-5);
}

TEST_F(RivalLoss, Snips) {
  const double sum = shown_mean([&](auto k, double w) { return w * e(k); });
  EXPECT_NEAR(posed("snips", kGiven).loss("fit"), sum / shown_mean([](auto, double w) { return w; }), 1e-5);
}

TEST_F(RivalLoss, ABatchWithoutAnyWeightIsNoLossOfSnips) {
  std::fill(data_.train.weight.begin(), data_.train.weight.end(), 0.0f);
  EXPECT_EQ(posed("snips", kGiven).loss("fit"), 0) << "not 0 ÷ 0";
  data_.train.weight[1] = 1e-20f;
  EXPECT_GT(posed("snips", kGiven).loss("fit"), 0.01) << "one row of any weight is the whole batch";
}

TEST_F(RivalLoss, Dr) {
  Posed dr = posed("dr", kGiven);
  dr.pose("g", world_.g);
  const double expected =
      all_mean([&](auto k) { return e_hat(k); }) + shown_mean([&](auto k, double w) { return w * (e(k) - e_hat(k)); });
  EXPECT_NEAR(dr.loss("fit"), expected, 1e-5);
  EXPECT_NEAR(dr.loss("impute"), shown_mean([&](auto k, double w) { return w * std::pow(e(k) - e_hat(k), 2); }), 1e-5);
}

TEST_F(RivalLoss, DirectHasTheLogsLabelsWhereShown) {
  Posed direct = posed("direct");
  direct.pose("g", world_.g);
  EXPECT_NEAR(direct.loss("impute"), shown_mean([&](auto k, double) { return delta(world_.label[k], world_.g[k]); }),
              1e-5);
  std::vector<std::optional<double>> logged(world_.pairs());
  for (std::size_t t = 0; t < data_.train.size(); ++t) {
    logged[static_cast<std::size_t>(data_.train.user[t] * world_.items + data_.train.item[t])] = data_.train.label[t];
  }
  EXPECT_NEAR(direct.loss("fit"),
              all_mean([&](auto k) { return delta(logged[k].value_or(sigma(world_.g[k])), world_.f[k]); }), 1e-5);
  // Drawing shown pairs only, g has nothing to say.
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < world_.pairs(); ++k) {
    if (logged[k]) shown.push_back(k);
  }
  direct.draw(shown);
  const double before = direct.loss("fit");
  direct.pose("g", world_.f);
  EXPECT_EQ(direct.loss("fit"), before);
  EXPECT_NEAR(before, shown_mean([&](auto k, double) { return e(k); }), 1e-5);
}

TEST_F(RivalLoss, Att) {
  Settings settings = kGiven;
  settings["agreement"] = "0.2";
  settings["labeller_epochs"] = "3";
  settings["rounds"] = "2";
  Posed att = posed("att", settings);
  Table b = world_.g;
  for (std::size_t k = 0; k < b.size(); ++k) b[k] += k % 2 == 0 ? 0.3 : 3;
  att.pose("a", world_.g);
  att.pose("b", b);
  EXPECT_NEAR(att.loss("labellers", 3), shown_mean([&](auto k, double w) {
                return w * (delta(world_.label[k], world_.g[k]) + delta(world_.label[k], b[k]));
              }),
              1e-4);
  double fit = 0, a_from_b = 0, agreed = 0;
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (std::abs(sigma(world_.g[k]) - sigma(b[k])) > 0.2) continue;
    agreed += 1;
    fit += delta((sigma(world_.g[k]) + sigma(b[k])) / 2, world_.f[k]);
    a_from_b += delta(sigma(b[k]), world_.g[k]);
  }
  EXPECT_GT(agreed, 10);
  EXPECT_LT(agreed, 30);
  EXPECT_NEAR(att.loss("fit", 4), fit / agreed, 1e-5);
  EXPECT_NEAR(att.loss("refresh a", 4), a_from_b / agreed, 1e-5);
  EXPECT_EQ(att.method().phases(5).size(), 3U);
  EXPECT_EQ(att.method().phases(6).size(), 1U) << "after the rounds the labellers stay";
  EXPECT_EQ(att.method().warm_up(), 3);
  Table far = world_.g;
  for (double& x : far) x = x > 0 ? -30 : 30;
  att.pose("b", far);
  EXPECT_EQ(att.loss("fit", 4), 0) << "no pair is agreed on";
}

double cross_entropy(double a, double b) { return -a * std::log(b) - (1 - a) * std::log(1 - b); }

TEST_F(RivalLoss, CvibIsItsEquation) {
  const auto p = [&](std::size_t k) { return sigma(world_.f[k]); };
  const double fit = shown_mean([&](auto k, double) { return e(k); });
  const double confidence = shown_mean([&](auto k, double) { return p(k) * std::log(p(k)); });
  const double balance = cross_entropy(shown_mean([&](auto k, double) { return p(k); }), all_mean(p));
  EXPECT_NEAR(posed("cvib", {{"alpha", "0.7"}, {"gamma", "0.3"}}).loss("fit"), fit + 0.7 * balance + 0.3 * confidence,
              1e-5);
  const double towards_one = shown_mean([&](auto k, double) { return -std::log(p(k)); });
  EXPECT_NEAR(posed("cvib", {{"alpha", "0.7"}, {"gamma", "0.3"}, {"variant", "published"}}).loss("fit"),
              fit + 0.7 * towards_one + 0.3 * confidence, 1e-5);
}

TEST_F(RivalLoss, MovingOnlyTheDrawnLogitsMovesCvibAndNotThePublishedVariant) {
  Table moved = world_.f;
  std::vector<bool> shown(world_.pairs(), false);
  for (std::size_t t = 0; t < data_.train.size(); ++t) {
    shown[static_cast<std::size_t>(data_.train.user[t] * world_.items + data_.train.item[t])] = true;
  }
  for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += shown[k] ? 0 : 1;
  for (const std::string variant : {"paper", "published"}) {
    Posed cvib = posed("cvib", {{"alpha", "1"}, {"variant", variant}});
    const double before = cvib.loss("fit");
    cvib.pose("f", moved);
    if (variant == "paper")
      EXPECT_GT(std::abs(cvib.loss("fit") - before), 1e-3);
    else
      EXPECT_EQ(cvib.loss("fit"), before);
  }
}

TEST_F(RivalLoss, ThePublishedVariantPullsShownPairsTowardsOne) {
  const auto gain = [&](const std::string& variant, const std::string& alpha) {
    Posed cvib = posed("cvib", {{"alpha", alpha}, {"gamma", "0"}, {"variant", variant}});
    Table raised = world_.f;
    for (double& x : raised) x += 1;
    const double before = cvib.loss("fit");
    cvib.pose("f", raised);
    return before - cvib.loss("fit");
  };
  const double drop = shown_mean([&](auto k, double) { return delta(1, world_.f[k]) - delta(1, world_.f[k] + 1); });
  EXPECT_GT(drop, 0.1);
  EXPECT_NEAR(gain("published", "2") - gain("published", "0"), 2 * drop, 1e-5);
  EXPECT_NEAR(gain("published", "0"), gain("paper", "0"), 1e-6);
}

TEST_F(RivalLoss, WhatWasDoneToPropensitiesIsFound) {
  Pool pool(1);
  for (const std::string method : {"ips", "snips", "dr", "att"}) {
    Posed out = posed(method, {{"propensity", "given"}, {"propensity_clip", "0.9"}});
    const Json findings = out.method().findings(data_, pool);
    EXPECT_EQ(findings.at("propensity").as_string(), "given");
    EXPECT_GT(findings.at("propensity_clipped_share").as_double(), 0);
    EXPECT_NEAR(findings.at("weight_largest").as_double(), 1 / 0.9, 1e-6);
    EXPECT_GT(findings.at("effective_sample_share").as_double(), 0.5);
    EXPECT_LE(findings.at("effective_sample_share").as_double(), 1);
  }
}

}  // namespace
}  // namespace equipoise::test
