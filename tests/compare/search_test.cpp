// Which settings a search tries: as many for every arm, alike where arms are alike, within what is declared.
#include "compare/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "compare/studies.h"
#include "core/text.h"

namespace equipoise {
namespace {

Arm arm(const std::string& method, const std::string& base = "gmf") {
  return {method + " " + base, method, base, {}, "", kNoX};
}

Plan plan_of(const std::string& search, int budget) {
  Plan plan;
  plan.search = search;
  plan.budget = budget;
  return plan;
}

std::string value(const Settings& settings, const std::string& name) {
  for (const auto& [known, text] : settings) {
    if (known == name) return text;
  }
  return "";
}

TEST(Search, EveryMethodTriesAsManyDifferentSettings) {
  for (const std::string search : {"grid", "random", "halving"}) {
    for (const MethodEntry& method : methods()) {
      if (!method.make()->needs().base) continue;
      const std::vector<Settings> tried = settings_to_try(arm(method.name, "mlp"), plan_of(search, 20));
      EXPECT_EQ(tried.size(), 20u) << method.name;
      EXPECT_EQ(std::set<Settings>(tried.begin(), tried.end()).size(), 20u) << method.name;
      EXPECT_TRUE(tried.front().empty()) << "the defaults come first";
      for (const Settings& settings : tried) Candidate(arm(method.name, "mlp"), settings);  // all within their ranges
    }
  }
}

TEST(Search, WhatArmsShareTheyTryAlike) {
  const Plan plan = plan_of("random", 12);
  const auto base = settings_to_try(arm("base"), plan), cbr = settings_to_try(arm("cbr"), plan),
             ips = settings_to_try(arm("ips", "mlp"), plan);
  for (std::size_t t = 1; t < base.size(); ++t) {
    for (const auto& [name, text] : base[t]) {
      EXPECT_EQ(value(cbr[t], name), text);
      EXPECT_EQ(value(ips[t], name), text);
    }
    EXPECT_NE(value(cbr[t], "gamma"), "");
  }
  Plan other = plan;
  other.seed = 2;
  EXPECT_NE(settings_to_try(arm("base"), other), base);
}

TEST(Search, NumbersBetweenTheDeclaredOnes) {
  Plan plan = plan_of("random", 400);
  plan.values = {{"learning_rate", "0.1,0.001"}, {"lambda", "0,0.01,0.0001"}, {"batch_size", "64,512"}};
  int zero = 0, low = 0;
  const auto tried = settings_to_try(arm("base"), plan);
  for (std::size_t t = 1; t < tried.size(); ++t) {
    const double rate = *parse_double(value(tried[t], "learning_rate")),
                 lambda = *parse_double(value(tried[t], "lambda"));
    EXPECT_TRUE(rate >= 0.001 && rate <= 0.1) << rate;
    EXPECT_TRUE(lambda == 0 || (lambda >= 0.0001 && lambda <= 0.01)) << lambda;
    EXPECT_TRUE(parse_int(value(tried[t], "batch_size")).has_value());
    zero += lambda == 0, low += rate < 0.01;
  }
  EXPECT_NEAR(zero / 399.0, 1.0 / 3, 0.08);
  EXPECT_NEAR(low / 399.0, 0.5, 0.08);  // even by the logarithm
}

TEST(Search, AGridThatFitsIsTriedWhole) {
  Plan plan = plan_of("grid", 100);
  plan.space = "paper";
  plan.values = {{"learning_rate", "0.1,0.01"}, {"batch_size", "64,128"}, {"lambda", "0.001"}};
  const auto tried = settings_to_try(arm("base"), plan);
  EXPECT_EQ(tried.size(), 1u + 4);
  plan.values = {};
  EXPECT_EQ(grid_size(dimensions(arm("base"), plan)), 4 * 5 * 4);
  EXPECT_EQ(grid_size(dimensions(arm("cbr"), plan)), 4 * 5 * 4 * 5);
}

TEST(Search, FixedAndUntrainedParametersAreLeftAlone) {
  Arm fixed = arm("base");
  fixed.fixed = {{"learning_rate", "0.01"}};
  for (const Dimension& d : dimensions(fixed, plan_of("random", 5))) EXPECT_NE(d.name, "learning_rate");
  EXPECT_EQ(settings_to_try({"popularity", "popularity", "", {}, "", kNoX}, plan_of("random", 5)).size(), 1u);
  EXPECT_EQ(settings_to_try({"mean", "mean", "", {}, "", kNoX}, plan_of("grid", 5)).size(), 4u);
}

TEST(Search, Rungs) {
  const auto with_epochs = [](const char* method, const char* epochs) {
    Arm out = arm(method);
    out.fixed = {{"epochs", epochs}};
    return out;
  };
  const auto steps = rungs(plan_of("halving", 20), with_epochs("base", "90"), 20);
  ASSERT_EQ(steps.size(), 3u);
  const std::pair<int, int> expected[] = {{20, 10}, {6, 30}, {2, 90}};
  for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(std::pair(steps[r].settings, steps[r].epochs), expected[r]);
  EXPECT_EQ(rungs(plan_of("random", 20), with_epochs("base", "90"), 20).size(), 1u);
  EXPECT_EQ(rungs(plan_of("halving", 20), with_epochs("base", "2"), 1).size(), 1u);
  // att is not judged in its first epochs: no rung may end there.
  const int warm_up = make_method("att")->warm_up();
  ASSERT_GT(warm_up, 0);
  for (const Rung& rung : rungs(plan_of("halving", 20), with_epochs("att", "27"), 20)) EXPECT_GT(rung.epochs, warm_up);
}

TEST(Studies, EveryArmOfEveryStudyCanBeMade) {
  for (const StudyEntry& study : studies()) {
    Plan plan;
    study.fill({{"gmf", "mlp"}, {}, {}}, plan);
    EXPECT_FALSE(plan.sources.empty());
    std::set<std::string> names, sources;
    for (const Arm& arm : plan.arms) {
      names.insert(arm.name);
      const Candidate candidate(arm, {});
      const bool first = arm.method == "base" || arm.base.empty() || arm.against == arm.name;
      EXPECT_EQ(plan.base_of(arm) == nullptr, first) << arm.name;
    }
    for (const DataSource& source : plan.sources) sources.insert(source.name);
    EXPECT_EQ(names.size(), plan.arms.size()) << study.name;
    EXPECT_EQ(sources.size(), plan.sources.size()) << study.name;
  }
}

TEST(Plan, ComesBackFromItsText) {
  for (const StudyEntry& study : studies()) {
    Plan plan;
    plan.kind = study.name;
    plan.protocols = {"test-items", "full"};
    plan.values = {{"lambda", "0.1,0.2"}};
    EXPECT_EQ(plan.to_json().dump().find("more_k"), std::string::npos) << "plans of one k are written as ever";
    plan.more_k = {5, 20};
    plan.seed_list = {11, 12, 13};
    plan.ndcg_empty = "one";
    study.fill({{"gmf"}, {}, {}}, plan);
    const Plan back = Plan::from_json(parse_json(plan.to_json().dump(), "plan"));
    EXPECT_EQ(back.to_json().dump(), plan.to_json().dump());
    EXPECT_EQ(back.identity(), plan.identity());
    EXPECT_EQ(back.final_seeds(), plan.seed_list);
    EXPECT_EQ(back.all_k(), (std::vector<int>{plan.k, 5, 20}));
  }
}

}  // namespace
}  // namespace equipoise
