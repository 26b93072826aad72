// Plans run for real on tiny logs: nothing twice, nothing lost, the same at any number of workers, test data untouched.
#include "compare/runner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>

#include "compare/choice.h"
#include "compare/results.h"
#include "compare/search.h"
#include "compare/tiny_plan.h"
#include "core/error.h"
#include "eval/contrast.h"
#include "stopping.h"

namespace equipoise {
namespace {

using test::tiny_law;
using test::tiny_plan;

class RunnerTest : public test::PlanTest {};

TEST_F(RunnerTest, WorkersChangeNothing) {
  for (const std::string search : {"random", "halving"}) {
    const Plan plan = tiny_plan(search);
    EXPECT_EQ(run(plan, search + "1", 1), run(plan, search + "3", 3)) << search;
  }
}

// Stopped after every single trial: a thread of its own raises the flag as soon as the store has grown.
TEST_F(RunnerTest, GoesOnWhereItWasStopped) {
  const Plan plan = tiny_plan("halving");
  const std::string whole = run(plan, "whole", 2);
  std::size_t kept = 0;
  int stops = 0;
  for (bool finished = false; !finished; ++stops) {
    RunStore store = RunStore::create(folder_ / "stopped", plan);
    Pool pool(2), watcher(2);
    DataShelf shelf({}, pool);
    test::Stopping stopping;
    std::atomic<bool> ended = false;
    watcher.run(2, [&](std::size_t piece) {
      if (piece == 0) {
        try {
          run_plan(plan, store, shelf, pool);
          finished = true;
        } catch (const Interrupted&) {
        }
        ended = true;
      } else {
        const RunStore seen = RunStore::open(folder_ / "stopped");  // a reader beside the writer
        while (!ended && seen.keys().size() <= kept) usleep(500);
        stopping.stop = true;
      }
    });
    EXPECT_GE(store.keys().size(), kept);
    kept = store.keys().size();
  }
  EXPECT_GE(stops, 3);
  EXPECT_EQ(run(plan, "stopped", 1), whole);
}

TEST_F(RunnerTest, AFinishedPlanIsNotRunAgain) {
  const Plan plan = tiny_plan();
  const std::string first = run(plan, "runs", 2);
  test::Stopping stopping;
  stopping.stop = true;  // any trial that began would end with Interrupted
  EXPECT_EQ(run(plan, "runs", 2), first);
  const RunStore store = RunStore::open(folder_ / "runs");
  EXPECT_EQ(store.keys().size(), planned_trials(plan));
}

TEST_F(RunnerTest, AnotherPlanIsRefusedAndSoIsASecondWriter) {
  Plan plan = tiny_plan();
  RunStore store = RunStore::create(folder_ / "runs", plan);
  EXPECT_NE(test::error_of<UsageError>([&] { RunStore::create(folder_ / "runs", plan); }).find("another process"),
            std::string::npos);
  const RunStore reader = RunStore::open(folder_ / "runs");
  EXPECT_EQ(reader.plan().identity(), plan.identity());
  { const RunStore gone = std::move(store); }
  plan.budget = 4;
  EXPECT_NE(test::error_of<UsageError>([&] { RunStore::create(folder_ / "runs", plan); }).find("another plan"),
            std::string::npos);
  EXPECT_THROW(RunStore::open(folder_ / "nothing"), UsageError);
}

<<<<<<< HEAD
TEST_F(RunnerTest, AStoreGrowsByArmsDataAndSeeds) {
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

TEST_F(RunnerTest, WhatCannotGrowIsNamed) {
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

TEST_F(RunnerTest, WhatWasChosenCanBeTrained) {
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

TEST_F(RunnerTest, SeveralKAreInTheStoreByName) {
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

TEST_F(RunnerTest, APositivesOnlyLogIsComparedByItsOwnRules) {
  Pool pool(1);
  Comparison comparison({}, pool);
  comparison.plan = tiny_plan();
  comparison.plan.metric = "auto";
  comparison.plan.sources = {comparison.data(std::make_shared<const Dataset>(positives_only_log()), {})};
  comparison.plan.arms = arms_of({"popularity", "mean", "mean-popularity"}, {});
  comparison.fit_to_data();
  EXPECT_EQ(comparison.plan.metric, "ndcg");
  ASSERT_EQ(comparison.plan.arms.size(), 1u) << "what needs both labels is left out";
  const RunStore store = comparison.run(folder_ / "clicks");
  const Results results(store);
  EXPECT_EQ(results.protocols("clicks"), std::vector<std::string>{"test-items"}) << "test has both labels";
  EXPECT_TRUE(std::isfinite(results.cells("clicks", "test-items", "auc")[0].mean));
  EXPECT_TRUE(std::isfinite(store.trials("clicks", "popularity", kSearch)[0].valid));
}

=======
>>>>>>> eval
TEST_F(RunnerTest, OnlyFinalRunsSeeTheTestPart) {
  // The same log with its test labels turned over: nothing but the final measurements may change.
  Plan plan = tiny_plan();
  Dataset data = simulate(tiny_law());
  write_dataset(data, folder_ / "data");
  for (float& label : data.test.label) label = 1 - label;
  write_dataset(data, folder_ / "turned");
  plan.sources = {{"tiny", folder_ / "data", {}, 1, kNoX, ""}};
  Plan turned = plan;
  turned.sources[0].folder = folder_ / "turned";
  run(plan, "a", 2), run(turned, "b", 2);
  const RunStore a = RunStore::open(folder_ / "a"), b = RunStore::open(folder_ / "b");
  const Results x(a), y(b);
  for (const Arm& arm : plan.arms) {
    EXPECT_EQ(chosen_settings(plan, a, "tiny", arm.name), chosen_settings(plan, b, "tiny", arm.name));
    const auto tried = a.trials("tiny", arm.name, kSearch), other = b.trials("tiny", arm.name, kSearch);
    ASSERT_EQ(tried.size(), other.size());
    for (std::size_t t = 0; t < tried.size(); ++t) {
      EXPECT_EQ(tried[t].training.dump(), other[t].training.dump());
      EXPECT_TRUE(tried[t].evaluations.empty());
    }
  }
  const auto p = x.cells("tiny", "test-items", "auc"), q = y.cells("tiny", "test-items", "auc");
  for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k].mean, 1 - q[k].mean, 1e-6);
}

TEST_F(RunnerTest, ATrialThatDivergesIsCountedAndNeverChosen) {
  Plan plan = tiny_plan();
  plan.search = "grid";
  plan.arms = arms_of({"base"}, {"gmf"});
  plan.arms[0].fixed = {{"epochs", "3"}, {"optimizer", "sgd"}, {"learning_rate", "10"}};
  plan.values = {{"lambda", "1e30"}, {"batch_size", "64"}, {"embedding", "2"}};
  // Whatever else is searched stays at its default.
  Candidate defaults(plan.arms[0], {});
  Params train;
  defaults.train.describe(train);
  for (const Dimension& dimension : dimensions(plan.arms[0], plan)) {
    const bool tried = std::any_of(plan.values.begin(), plan.values.end(),
                                   [&](const auto& values) { return values.first == dimension.name; });
    const Param* param = defaults.recipe->params().find(dimension.name);
    if (param == nullptr) param = train.find(dimension.name);
    if (!tried) plan.arms[0].fixed.emplace_back(dimension.name, param->text());
  }
  plan.budget = 5;
  run(plan, "runs", 1);
  const RunStore store = RunStore::open(folder_ / "runs");
  const Cell cell = Results(store).cells("tiny", "test-items", "auc").front();
  EXPECT_EQ(cell.trials, 2);
  EXPECT_GE(cell.failed, 1);
  EXPECT_NE(store.trials("tiny", "base gmf", kSearch)[1].error.find("diverged"), std::string::npos);
  EXPECT_EQ(chosen_settings(plan, store, "tiny", "base gmf"), Settings{});
  EXPECT_EQ(cell.runs, 2);
}

TEST_F(RunnerTest, TheTableIsWhatTheRunsSay) {
  Plan plan = tiny_plan();
  plan.seeds = 3;
  plan.protocols = {"test-items", "full"};
  run(plan, "runs", 2);
  const RunStore store = RunStore::open(folder_ / "runs");
  const Results results(store);
  EXPECT_EQ(results.protocols("tiny"), plan.protocols);
  for (const std::string& protocol : plan.protocols) {
    const std::vector<Cell> cells = results.cells("tiny", protocol, "ndcg");
    ASSERT_EQ(cells.size(), plan.arms.size());
    for (const Cell& cell : cells) {
      double sum = 0, squares = 0;
      for (const StoredTrial& run : results.runs("tiny", cell.arm)) {
        const double v =
            run.evaluations[protocol == "full" ? 1 : 0].summary.at("metrics").at("ndcg").at("mean").as_double();
        sum += v, squares += v * v;
      }
      EXPECT_EQ(cell.runs, 3);
      EXPECT_NEAR(cell.mean, sum / 3, 1e-12);
      EXPECT_NEAR(cell.standard_error, std::sqrt(std::max(0.0, (squares - sum * sum / 3) / 2 / 3)), 1e-6);
      EXPECT_LE(cell.low, cell.high);
      EXPECT_EQ(cell.base.has_value(), cell.arm == "ips gmf");
    }
  }
  EXPECT_EQ(results.pair_tests("tiny", "full", "auc").size(),
            1u + 1 + 2 * 2);  // arms, baselines, each baseline with each arm
}

// One model under four names: what differs is luck, so that hardly any difference may be called significant.
TEST_F(RunnerTest, ArmsThatAreTheSameModelAreSeldomCalledDifferent) {
  constexpr int kLogs = 200, kNames = 4, kSeeds = 3;
  int significant = 0, tests = 0;
  for (int log = 0; log < kLogs; ++log) {
    SimulateParams law = tiny_law();
    law.users = 150;  // so that every validation part has both labels
    law.seed = 1000 + static_cast<std::uint64_t>(log);
    const Dataset data = simulate(law);
    std::vector<std::vector<RunValue>> auc(kNames), user_auc(kNames);
    std::size_t users = 0;
    for (int name = 0; name < kNames; ++name) {
      for (int seed = 0; seed < kSeeds; ++seed) {
        Plan plan = tiny_plan();
        plan.replicates = 60;
        plan.arms = arms_of({"base"}, {"gmf"});
        plan.arms[0].fixed = {{"epochs", "4"}, {"embedding", "2"}, {"batch_size", "64"}};
        // A name of its own is a start of its own; the resamples of users are the plan's seed's and so are the same.
        const TrialKey key{"tiny", "base gmf", kFinal, 0, name * kSeeds + seed};
        const StoredTrial trial = run_trial(plan, key, {}, 0, data);
        ASSERT_FALSE(trial.failed) << trial.error;
        const StoredEvaluation& e = trial.evaluations.front();
        users = e.users.size();
        const auto value = [&](const char* metric) {
          return RunValue{e.summary.at("metrics").at(metric).at("mean").as_double(), e.resampled.at(metric)};
        };
        auc[static_cast<std::size_t>(name)].push_back(value("auc"));
        user_auc[static_cast<std::size_t>(name)].push_back(value("user_auc"));
      }
    }
    for (const auto* arms : {&auc, &user_auc}) {
      std::vector<double> p;
      for (std::size_t i = 0; i < kNames; ++i) {
        for (std::size_t j = 0; j < i; ++j) p.push_back(contrast((*arms)[i], (*arms)[j], users).p);
      }
      for (const double value : holm(p)) ++tests, significant += value < kSignificance;
    }
  }
  RecordProperty("significant", significant);
  RecordProperty("tests", tests);
  EXPECT_EQ(tests, kLogs * 2 * 6);
  EXPECT_LE(significant, 0.05 * tests) << significant << " of " << tests;
  std::printf("%d of %d differences between equals were called significant\n", significant, tests);
}

}  // namespace
}  // namespace equipoise
