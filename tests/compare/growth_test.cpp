// Stores that grow, what they chose, several k, and logs with positives only, run for real on tiny logs.
#include <algorithm>
#include <cmath>
#include <functional>

#include "compare/choice.h"
#include "compare/comparison.h"
#include "compare/results.h"
#include "compare/search.h"
#include "compare/tiny_plan.h"
#include "core/error.h"
#include "train/trainer.h"

namespace equipoise {
namespace {

using test::tiny_law;
using test::tiny_plan;

class GrowthTest : public test::PlanTest {};

TEST_F(GrowthTest, AStoreGrowsByArmsDataAndSeeds) {
  Plan small = tiny_plan(), large = tiny_plan();
  small.arms = arms_of({"popularity", "base"}, {"gmf"});
  small.arms[1].fixed = large.arms[2].fixed;
  small.seeds = 1;
  DataSource other = small.sources[0];
  other.name = "other";
  other.simulated->seed = 5;
  large.sources.push_back(other);
  large.seed_list = {2, 3, 11};
  large.seeds = 3;
  const std::string whole = run(large, "whole", 2);
  run(small, "grown", 1);
  const std::size_t before = RunStore::open(folder_ / "grown").keys().size();
  const Plan all = grown(RunStore::open(folder_ / "grown").plan(), large, "grown");
  EXPECT_EQ(all.final_seeds(), (std::vector<std::uint64_t>{2, 3, 11}));
  run(all, "grown", 2);
  const RunStore store = RunStore::open(folder_ / "grown");
  EXPECT_GT(store.keys().size(), before);
  EXPECT_EQ(store.keys().size(), planned_trials(large));
  // The arms are in another order; every trial is what it is in the store that was made at once.
  const RunStore at_once = RunStore::open(folder_ / "whole");
  for (const DataSource& source : large.sources) {
    for (const Arm& arm : large.arms) {
      const auto a = store.trials(source.name, arm.name, kFinal, true);
      const auto b = at_once.trials(source.name, arm.name, kFinal, true);
      ASSERT_EQ(a.size(), 3u);
      for (std::size_t t = 0; t < a.size(); ++t) {
        EXPECT_EQ(a[t].seed, b[t].seed);
        EXPECT_EQ(a[t].evaluations[0].summary.dump(), b[t].evaluations[0].summary.dump()) << arm.name;
      }
    }
  }
}

TEST_F(GrowthTest, PositivesOnlyDoNotJoinArmsThatNeedBothLabels) {
  run(tiny_plan(), "labelled", 1);
  const std::string before = RunStore::open(folder_ / "labelled").plan().identity();
  Dataset clicks = simulate(tiny_law());
  clicks.name = "clicks";
  clicks.positives_only = true;
  for (Rows* rows : {&clicks.train, &clicks.valid}) std::fill(rows->label.begin(), rows->label.end(), 1.0f);
  Pool pool(1);
  Comparison comparison({}, pool);
  comparison.plan = tiny_plan();
  comparison.plan.sources = {comparison.data(std::make_shared<const Dataset>(clicks), {})};
  const std::string text = test::error_of<UsageError>([&] { comparison.grow(folder_ / "labelled"); });
  EXPECT_NE(text.find("which needs rows of both labels, and clicks has positives only"), std::string::npos) << text;
  EXPECT_EQ(RunStore::open(folder_ / "labelled").plan().identity(), before);
}

TEST_F(GrowthTest, WhatCannotGrowIsNamed) {
  const Plan plan = tiny_plan();
  const auto refused = [&](const std::function<void(Plan&)>& change) {
    Plan other = plan;
    change(other);
    return test::error_of<UsageError>([&] { grown(plan, other, "runs"); });
  };
  EXPECT_NE(refused([](Plan& p) { p.budget = 4; }).find("(budget is 3 there and 4 here)"), std::string::npos);
  EXPECT_NE(refused([](Plan& p) { p.search = "grid"; }).find("(search is random there and grid here)"),
            std::string::npos);
  EXPECT_NE(refused([](Plan& p) { p.more_k = {5}; }).find("(more_k is none there and [5] here)"), std::string::npos);
  EXPECT_NE(refused([](Plan& p) { p.arms[2].fixed = {}; }).find("an arm 'base gmf' that is another one"),
            std::string::npos);
  EXPECT_NE(refused([](Plan& p) { p.sources[0].simulated->users = 61; }).find("a data set 'tiny' that is another one"),
            std::string::npos);
  Plan fewer = plan;
  fewer.arms.resize(1);
  fewer.seeds = 1;
  EXPECT_EQ(grown(plan, fewer, "runs").identity(), plan.identity()) << "nothing is taken away";
}

TEST_F(GrowthTest, ACommandIsKeptOnce) {
  Plan plan = tiny_plan();
  plan.command = "compare a";
  Plan more = plan;
  more.seeds = 3;
  more.command = "compare a --seeds 3";
  const Plan longer = grown(plan, more, "runs");
  EXPECT_EQ(longer.command, "compare a\ncompare a --seeds 3");
  more.seeds = 4;  // the same words, with other defaults or data behind them
  EXPECT_EQ(grown(longer, more, "runs").command, longer.command);
}

TEST_F(GrowthTest, AnArmIsNamedPlainlyOrNotAtAll) {
  Plan plan = tiny_plan();
  plan.budget = 1;
  plan.seeds = 1;
  plan.arms = {plan.arms[2], plan.arms[2]};
  plan.arms[0].name = "base+history=none gmf";
  plan.arms[1].name = "base+history=both gmf";
  plan.arms[0].fixed.emplace_back("history", "none");
  plan.arms[1].fixed.emplace_back("history", "both");
  run(plan, "two", 1);
  const RunStore two = RunStore::open(folder_ / "two");
  const std::string text = test::error_of<UsageError>([&] { chosen_run(two, "", "base:gmf"); });
  EXPECT_NE(text.find("may be any of base+history=none gmf, base+history=both gmf"), std::string::npos) << text;
  EXPECT_EQ(chosen_run(two, "", "base+history=both gmf").arm.name, "base+history=both gmf");
  plan.arms.push_back(tiny_plan().arms[2]);
  run(plan, "three", 1);
  EXPECT_EQ(chosen_run(RunStore::open(folder_ / "three"), "", "base:gmf").arm.name, "base gmf");
}

TEST_F(GrowthTest, WhatWasChosenCanBeTrained) {
  Plan plan = tiny_plan();
  plan.seed_list = {7, 8};
  run(plan, "runs", 2);
  const RunStore store = RunStore::open(folder_ / "runs");
  const ChosenRun base = chosen_run(store, "", "base:gmf");
  EXPECT_EQ(base.arm.name, "base gmf");
  EXPECT_EQ(base.source.name, "tiny");
  EXPECT_EQ(base.settings.back(), (std::pair<std::string, std::string>("seed", "7")));
  const Settings chosen = chosen_settings(plan, store, "tiny", "base gmf").value();
  EXPECT_EQ(base.settings.size(), base.arm.fixed.size() + chosen.size() + 3);
  // The first of the final runs, to the last epoch.
  const StoredTrial first = store.trials("tiny", "base gmf", kFinal)[0];
  Candidate candidate(base.arm, base.settings);
  Pool pool(1);
  DataShelf shelf({}, pool);
  const Dataset& data = shelf.get(plan.sources[0], 7);
  Recommender recommender(std::move(candidate.recipe), data, 7);
  EXPECT_EQ(Trainer(recommender, data, candidate.train, pool).run().best_metric, first.valid);
  const MetricInfo& auc = find_metric("auc");
  const ChosenRun best = chosen_run(store, "tiny", "");
  for (const Arm& arm : plan.arms) {
    for (const StoredTrial& trial : store.trials("tiny", arm.name, kSearch)) {
      const auto of_best = store.trials("tiny", best.arm.name, kSearch);
      EXPECT_TRUE(std::any_of(of_best.begin(), of_best.end(),
                              [&](const StoredTrial& t) { return !better(auc, trial.valid, t.valid); }));
    }
  }
  EXPECT_NE(test::error_of<UsageError>([&] { chosen_run(store, "", "cbr mlp"); }).find("there are popularity"),
            std::string::npos);
  EXPECT_THROW(chosen_run(store, "nowhere", ""), UsageError);
}

TEST_F(GrowthTest, SeveralKAreInTheStoreByName) {
  Plan plan = tiny_plan();
  plan.arms = arms_of({"popularity"}, {});
  plan.more_k = {1};
  plan.ndcg_empty = "one";
  run(plan, "runs", 1);
  const RunStore store = RunStore::open(folder_ / "runs");
  const Results results(store);
  const Cell at_one = results.cells("tiny", "test-items", "ndcg@1")[0];
  EXPECT_TRUE(std::isfinite(at_one.mean) && std::isfinite(at_one.low));
  EXPECT_NE(at_one.mean, results.cells("tiny", "test-items", "ndcg")[0].mean);
  EXPECT_NE(results.caption("tiny", "test-items").find("count as NDCG 1"), std::string::npos);
}

/// A log with positives only, a part of more of them, and a part with both labels.
Dataset positives_only_log() {
  Dataset data = simulate(tiny_law());
  data.name = "clicks";
  data.positives_only = true;
  for (Rows* rows : {&data.train, &data.valid}) std::fill(rows->label.begin(), rows->label.end(), 1.0f);
  return data;
}

TEST_F(GrowthTest, APositivesOnlyLogIsComparedByItsOwnRules) {
  Pool pool(1);
  Comparison comparison({}, pool);
  comparison.plan = tiny_plan();
  comparison.plan.metric = "auto";
  comparison.plan.sources = {comparison.data(std::make_shared<const Dataset>(positives_only_log()), {})};
  comparison.plan.arms = arms_of({"popularity", "mean"}, {});
  comparison.fit_to_data();
  EXPECT_EQ(comparison.plan.metric, "ndcg");
  ASSERT_EQ(comparison.plan.arms.size(), 1u) << "mean is left out";
  const RunStore store = comparison.run(folder_ / "clicks");
  const Results results(store);
  EXPECT_EQ(results.protocols("clicks"), std::vector<std::string>{"test-items"}) << "test has both labels";
  EXPECT_TRUE(std::isfinite(results.cells("clicks", "test-items", "auc")[0].mean));
  EXPECT_TRUE(std::isfinite(store.trials("clicks", "popularity", kSearch)[0].valid));
}

TEST_F(GrowthTest, ArmsThatNeedARandomSampleAreLeftOutWhereThereIsNone) {
  Pool pool(1);
  for (const char* part : {"unbiased", "resampled"}) {
    Dataset data = simulate(tiny_law());
    data.provenance["test_part"] = part;
    Comparison comparison({}, pool);
    comparison.plan = tiny_plan();
    comparison.plan.sources = {comparison.data(std::make_shared<const Dataset>(data), {})};
    comparison.plan.arms = arms_of({"popularity", "kd-label"}, {"gmf"});
    comparison.fit_to_data();
    EXPECT_EQ(comparison.plan.arms.size(), std::string(part) == "unbiased" ? 2u : 1u) << part;
  }
}

}  // namespace
}  // namespace equipoise
