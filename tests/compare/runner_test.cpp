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
#include "compare/says_once.h"
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

TEST(SaysOnceTest, PassesASentenceOnOnce) {
  class Ear : public Listener {
   public:
    void note(std::string_view text) override { said.emplace_back(text); }
    void warn(std::string_view text) override { said.emplace_back(text); }
    std::vector<std::string> said;
  };
  Ear ear;
  SaysOnce once(ear);
  const ListenerScope scope(once);
  for (int trial = 0; trial < 3; ++trial) note("loss = pointwise"), warn("few rows count");
  note("another");
  EXPECT_EQ(ear.said, (std::vector<std::string>{"loss = pointwise", "few rows count", "another"}));
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
