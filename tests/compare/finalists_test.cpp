// Finalists: the best settings run again before one is chosen; stores of before; seeds that disagree; false stars.
#include <cmath>
#include <filesystem>

#include "compare/choice.h"
#include "compare/comparison.h"
#include "compare/results.h"
#include "compare/search.h"
#include "compare/tiny_plan.h"
#include "core/error.h"
#include "core/version.h"

namespace equipoise {
namespace {

namespace fs = std::filesystem;
using test::tiny_law;
using test::tiny_plan;

class FinalistsTest : public test::PlanTest {};

TEST_F(FinalistsTest, TheBestOnAverageIsChosen) {
  Plan plan = tiny_plan();
  plan.budget = 6;
  run(plan, "runs", 2);
  const RunStore store = RunStore::open(folder_ / "runs");
  EXPECT_EQ(store.keys().size(), planned_trials(plan));
  const std::vector<StoredTrial> again = store.trials("tiny", "base gmf", kFinalist, true);
  ASSERT_EQ(again.size(), 3u * kFinalistSeeds);
  std::vector<StoredTrial> tried = store.trials("tiny", "base gmf", kSearch);
  order_by_validation(plan, tried);
  double best = 0;
  Settings expected;
  for (std::size_t k = 0; k < 3; ++k) {
    double sum = tried[k].valid;
    int runs = 1;
    for (const StoredTrial& trial : again) {
      EXPECT_TRUE(trial.evaluations.empty()) << "finalists see valid only";
      EXPECT_NE(trial.seed, plan.seed);
      for (const std::uint64_t seed : plan.final_seeds()) EXPECT_NE(trial.seed, seed);
      if (trial.key.number != tried[k].key.number) continue;
      EXPECT_EQ(trial.settings, tried[k].settings);
      sum += trial.valid, ++runs;
    }
    EXPECT_EQ(runs, 3);
    if (sum / runs > best) best = sum / runs, expected = tried[k].settings;
  }
  EXPECT_EQ(chosen_settings(plan, store, "tiny", "base gmf"), expected);
  for (const StoredTrial& final : store.trials("tiny", "base gmf", kFinal)) EXPECT_EQ(final.settings, expected);
  EXPECT_TRUE(store.trials("tiny", "popularity", kFinalist).empty()) << "there is nothing to choose between";
}

TEST_F(FinalistsTest, WithoutThemTheBestOfOneSeedIsChosen) {
  Plan plan = tiny_plan();
  plan.finalists = 0;
  EXPECT_EQ(plan.to_json().find("finalists"), nullptr) << "written as before there were any";
  run(plan, "runs", 1);
  const RunStore store = RunStore::open(folder_ / "runs");
  EXPECT_EQ(store.keys().size(), planned_trials(plan));
  std::vector<StoredTrial> tried = store.trials("tiny", "base gmf", kSearch);
  order_by_validation(plan, tried);
  EXPECT_EQ(chosen_settings(plan, store, "tiny", "base gmf"), tried.front().settings);
  EXPECT_TRUE(store.trials("tiny", "base gmf", kFinalist).empty());
}

TEST_F(FinalistsTest, AStoreOfBeforeOpensAndGrowsWithoutThem) {
  Plan before = tiny_plan();
  before.finalists = 0;
  before.arms.pop_back();
  run(before, "runs", 1);
  Plan now = tiny_plan();
  ASSERT_GT(now.finalists, 1);
  const Plan all = grown(RunStore::open(folder_ / "runs").plan(), now, "runs");
  EXPECT_EQ(all.finalists, 0);
  EXPECT_EQ(all.arms.size(), now.arms.size());
  run(all, "runs", 1);
  const RunStore store = RunStore::open(folder_ / "runs");
  EXPECT_EQ(store.keys().size(), planned_trials(all));
  EXPECT_EQ(store.trials("tiny", "ips gmf", kFinal).size(), 2u);
  // The other way round the table would mix two rules.
  Plan without = now;
  without.finalists = 0;
  EXPECT_NE(test::error_of<UsageError>([&] { grown(now, without, "runs"); }).find("finalists is 3 there and none here"),
            std::string::npos);
}

TEST_F(FinalistsTest, AStoreThatWasReleasedOpensAndDoesNotMixVersions) {
  fs::copy(fs::path(EQUIPOISE_GOLDEN) / "runs2" / "runs.sqlite", folder_ / "runs.sqlite");
  Plan plan = RunStore::open(folder_.path()).plan();
  EXPECT_EQ(plan.finalists, 0);
  EXPECT_FALSE(RunStore::open(folder_.path()).keys().empty());
  plan.seeds += 1;
  const std::string said = test::error_of<Error>([&] { RunStore::create(folder_.path(), plan); });
  EXPECT_NE(said.find("holds runs of version 0.1.0"), std::string::npos) << said;
}

TEST_F(FinalistsTest, SeedsThatDisagreeAreFlagged) {
  Plan plan = tiny_plan();
  plan.seeds = 3;
  RunStore store = RunStore::create(folder_ / "made", plan);
  const auto keep = [&](const std::string& arm, int number, double value) {
    StoredTrial trial;
    trial.key = {"tiny", arm, kFinal, 0, number};
    trial.seed = 2 + static_cast<std::uint64_t>(number);
    trial.training = Json::object({{"curve", Json::array()}});
    trial.version = kVersion;
    StoredEvaluation e;
    e.protocol = "test-items";
    e.summary = Json::object({{"metrics", Json::object({{"auc", Json::object({{"mean", value}})}})}});
    e.resampled["auc"] = {value - 0.01, value, value + 0.01};  // an error of 0.01
    trial.evaluations.push_back(e);
    store.keep(trial);
  };
  const double steady[] = {0.70, 0.75, 0.79}, torn[] = {0.70, 0.75, 0.81};
  for (int n = 0; n < 3; ++n) keep("base gmf", n, steady[n]), keep("ips gmf", n, torn[n]);
  const Results results(store);
  const std::vector<Cell> cells = results.cells("tiny", "test-items", "auc");
  EXPECT_NEAR(cells[2].user_error, 0.01, 1e-6);
  EXPECT_FALSE(cells[2].seeds_disagree()) << "a range of nine errors";
  EXPECT_TRUE(cells[3].seeds_disagree()) << "of eleven";
  EXPECT_FALSE(cells[0].seeds_disagree()) << "without runs";
}

// Arms that are one model but for how its rows fall into batches, each searched and its finalists run again: hardly any
// difference may be called significant.
TEST_F(FinalistsTest, FalseStarsAreRareWithFinalistsRunAgain) {
  constexpr int kLogs = 60;
  int stars = 0, tests = 0;
  Pool pool(2);
  for (int log = 0; log < kLogs; ++log) {
    SimulateParams law = tiny_law();
    law.users = 150;
    law.seed = 5000 + static_cast<std::uint64_t>(log);
    Comparison comparison({}, pool);
    Plan& plan = comparison.plan;
    plan = tiny_plan();
    plan.sources = {comparison.data(std::make_shared<const Dataset>(simulate(law)), {})};
    plan.seeds = 3;
    plan.budget = 4;
    plan.replicates = 60;
    plan.arms.clear();
    for (const char* size : {"61", "62", "63", "64"}) {
      plan.arms.push_back({std::string("base gmf in batches of ") + size,
                           "base",
                           "gmf",
                           {{"epochs", "4"}, {"embedding", "2"}, {"history", "none"}, {"batch_size", size}},
                           "",
                           kNoX});
    }
    const std::string folder = folder_ / std::to_string(log);
    const RunStore store = comparison.run(folder);
    ASSERT_EQ(store.trials("simulated", plan.arms[0].name, kFinalist).size(), 6u);
    const Results results(store);
    for (const char* metric : {"auc", "user_auc"}) {
      for (const PairTest& test : results.pair_tests("simulated", "test-items", metric)) {
        ++tests, stars += test.versus.significant;
      }
    }
    fs::remove_all(folder);
  }
  RecordProperty("stars", stars);
  EXPECT_EQ(tests, kLogs * 2 * 6);
  EXPECT_LE(stars, 0.05 * tests) << stars << " of " << tests;
  std::printf("%d of %d differences between equals were called significant\n", stars, tests);
}

}  // namespace
}  // namespace equipoise
