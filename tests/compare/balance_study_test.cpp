// The study balance: its arms and sources, and the verdict of its rule on results that are made by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "compare/balance_result.h"
#include "compare/search.h"
#include "compare/studies.h"
#include "core/error.h"
#include "core/random.h"
#include "core/version.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using Role = BalanceArm::Role;

Plan plan_of(const BalanceGrid& grid, int repeats) {
  Plan plan;
  plan.kind = kBalanceStudy;
  plan.seeds = repeats;
  find_study(kBalanceStudy).fill({{"gmf"}, {}, {}, grid}, plan);
  return plan;
}

BalanceGrid small_grid() {
  BalanceGrid grid;
  grid.widths = {2, 8};
  grid.strengths = "0,1,2";
  return grid;
}

TEST(BalanceStudy, EveryFormHasAReferenceAndControls) {
  std::set<std::string> names;
  for (const BalanceArm& line : balance_arms()) {
    EXPECT_TRUE(names.insert(line.name).second) << line.name;
    EXPECT_EQ(balance_arm(line.reference).role, Role::reference) << line.name;
    EXPECT_EQ(line.controls.empty(), line.role != Role::form) << line.name;
    for (const char* control : line.controls) EXPECT_EQ(balance_arm(control).role, Role::control) << line.name;
  }
}

TEST(BalanceStudy, ArmsAreWidthsAndSourcesStrengths) {
  const Plan plan = plan_of(small_grid(), 2);
  EXPECT_EQ(plan.sources.size(), 3u);
  EXPECT_EQ(plan.arms.size(), 2 * balance_arms().size());
  for (const Arm& arm : plan.arms) {
    const Arm* other = plan.base_of(arm);
    if (balance_arm(arm.series).role == Role::reference) {
      EXPECT_EQ(other, nullptr) << arm.name;
    } else {
      EXPECT_EQ(other->series, balance_arm(arm.series).reference);
      EXPECT_EQ(width_of(*other), width_of(arm));
    }
    for (const Dimension& d : dimensions(arm, plan)) {
      EXPECT_TRUE(d.name != "embedding" && d.name != "history" && d.name != "batch_size") << arm.name << " " << d.name;
    }
  }
  EXPECT_EQ(plan.sources[1].simulated->strength, 1);
  EXPECT_TRUE(plan.sources[1].simulated->propensity) << "the oracle needs them";
  BalanceGrid grid = small_grid();
  grid.laboratory.density = 0.02;
  Plan over_labels;
  add_balance_sources(over_labels, grid, {{"matrix", "folder", {}, 1, kNoX, "0123"}}, {});
  ASSERT_EQ(over_labels.sources.size(), 3u);
  EXPECT_EQ(over_labels.sources[2].name, "matrix, s = 2");
  EXPECT_EQ(over_labels.sources[2].laboratory->strength, 2);
  EXPECT_EQ(over_labels.sources[2].laboratory->density, 0.02);
  EXPECT_EQ(Plan::from_json(over_labels.to_json()).identity(), over_labels.identity());
  BalanceGrid bad;
  bad.strengths = "1,much";
  EXPECT_THROW(bad.strength_values(), UsageError);
}

/// A store in which an arm's metric is `value(arm, width, s)` and a little noise of each repeat.
std::vector<BalanceResult> judged(const Plan& plan,
                                  const std::function<double(const std::string&, int, double)>& value) {
  test::TempFolder folder;
  RunStore store = RunStore::create(folder / "runs", plan);
  for (const DataSource& source : plan.sources) {
    for (const Arm& arm : plan.arms) {
      for (int repeat = 0; repeat < plan.seeds; ++repeat) {
        Stream noise(1, source.name + arm.name, static_cast<std::uint64_t>(repeat));
        StoredTrial trial;
        trial.key = {source.name, arm.name, kFinal, 0, repeat};
        trial.training = Json::object({{"curve", Json::array()}});
        trial.version = kVersion;
        StoredEvaluation e;
        e.protocol = "test-items";
        const double auc = 0.7 + value(arm.series, width_of(arm), source.x) + 0.0002 * noise.normal();
        e.summary = Json::object({{"metrics", Json::object({{"auc", Json::object({{"mean", auc}})}})}});
        e.resampled["auc"] = {auc, auc};
        trial.evaluations.push_back(e);
        store.keep(trial);
      }
    }
  }
  return balance_results(Results(store));
}

const FormTests& projection(const std::vector<BalanceResult>& results) { return results.at(0).forms.at(0); }

TEST(BalanceStudy, CallsBalancingTheCauseOnlyWhereEverythingHolds) {
  const Plan plan = plan_of(small_grid(), 4);
  const auto real = [](const std::string& arm, int width, double s) {
    return arm == "projection" ? 0.01 * s * (4 - std::log2(width)) : 0;
  };
  const auto results = judged(plan, real);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].data, "simulated");
  EXPECT_EQ(results[0].repeats, 4);
  EXPECT_TRUE(projection(results).cause) << projection(results).verdict;
  EXPECT_NEAR(projection(results).gain.mean, (0.01 * 3 + 0.01 * 1 + 0.02 * 3 + 0.02 * 1) / 4, 0.0005);
  EXPECT_NEAR(projection(results).by_strength.mean, 0.01 * (3 + 1) / 2, 0.0005);
  EXPECT_NEAR(projection(results).by_width.mean, -0.01 * 1.5, 0.0005);
  EXPECT_NE(results[0].oracle_verdict.find("no reweighting can help here"), std::string::npos)
      << results[0].oracle_verdict;

  // The same gain of a control: what gains is not balancing.
  const auto control = [&](const std::string& arm, int width, double s) {
    return real(arm == "shrinkage" ? "projection" : arm, width, s);
  };
  const auto by_control = judged(plan, control);
  EXPECT_FALSE(projection(by_control).cause);
  EXPECT_NE(projection(by_control).verdict.find("the control 'shrinkage'"), std::string::npos);
  // A gain where there is nothing to balance.
  const auto everywhere = [&](const std::string& arm, int width, double s) {
    return real(arm, width, s) + (arm == "projection" ? 0.02 : 0);
  };
  const auto by_everywhere = judged(plan, everywhere);
  EXPECT_FALSE(projection(by_everywhere).cause);
  EXPECT_NE(projection(by_everywhere).verdict.find("it gains at s = 0 too"), std::string::npos);
  // A gain that has nothing to do with the width.
  const auto flat = [](const std::string& arm, int, double s) { return arm == "projection" ? 0.01 * s : 0; };
  const auto by_flat = judged(plan, flat);
  EXPECT_FALSE(projection(by_flat).cause);
  EXPECT_NE(projection(by_flat).verdict.find("as the model grows wider"), std::string::npos);
}

TEST(BalanceStudy, SaysWhatWouldHaveBeenFoundWhereNothingIs) {
  const Plan plan = plan_of(small_grid(), 4);
  const auto results = judged(plan, [](const std::string&, int, double) { return 0.0; });
  const FormTests& form = projection(results);
  EXPECT_FALSE(form.cause);
  EXPECT_NE(form.verdict.find("no gain is shown"), std::string::npos) << form.verdict;
  EXPECT_GT(form.detectable, 2 * form.gain.error);
  EXPECT_LT(form.detectable, 0.005);
  const auto loses =
      judged(plan, [](const std::string& arm, int, double) { return arm == "projection" ? -0.02 : 0.0; });
  EXPECT_EQ(projection(loses).verdict.find("loses"), 0u) << projection(loses).verdict;
  const auto oracle =
      judged(plan, [](const std::string& arm, int, double s) { return arm == "oracle weights" ? 0.01 * s : 0.0; });
  EXPECT_NE(oracle[0].oracle_verdict.find("oracle weights gain"), std::string::npos);
}

TEST(BalanceStudy, OneRepeatIsNoTest) {
  const auto results = judged(plan_of(small_grid(), 1), [](const std::string&, int, double s) { return s; });
  EXPECT_NE(projection(results).verdict.find("cannot be judged"), std::string::npos);
  EXPECT_EQ(gain_text(results[0].gains[0].gain).find("★"), std::string::npos);
}

}  // namespace
}  // namespace equipoise
