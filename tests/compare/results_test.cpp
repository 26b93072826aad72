// Tables from runs put into a store by hand.
#include "compare/results.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/file.h"
#include "data/temp_folder.h"
#include "eval/toy.h"

namespace equipoise {
namespace {

const char* const kData = "toy";

Plan plan_of(int seeds) {
  Plan plan;
  plan.seeds = seeds;
  plan.sources.push_back({kData, "toy", {}, 1, kNoX, ""});
  plan.arms = {{"base gmf", "base", "gmf", {}, "", kNoX}, {"cbr gmf", "cbr", "gmf", {}, "", kNoX}};
  return plan;
}

Evaluation evaluation(std::uint64_t seed) {
  EvaluationPlan evaluation_plan;
  evaluation_plan.k = 2;
  evaluation_plan.replicates = 100;
  Pool pool(1);
  return evaluate(coarse_scorer(seed, 1000), coin_data(40, 30, 8), evaluation_plan, pool);
}

StoredTrial final_run(const Arm& arm, int number, const Evaluation& e) {
  StoredTrial run;
  run.key = {kData, arm.name, kFinal, 0, number};
  run.training = Json::object({{"curve", Json::array()}});
  run.evaluations.push_back({e.protocol, to_json(e), e.users, e.per_user, e.resampled});
  return run;
}

class ResultsTest : public ::testing::Test {
 protected:
  test::TempFolder folder_;
};

TEST_F(ResultsTest, TheIntervalOfOneRunIsTheEvaluations) {
  const Plan plan = plan_of(1);
  RunStore store = RunStore::create(folder_ / "runs", plan);
  const Evaluation e = evaluation(1);
  store.keep(final_run(plan.arms[0], 0, e));
  const Results results(store);
  for (const MetricResult& metric : e.metrics) {
    const Cell cell = results.cells(kData, e.protocol, metric.name).front();
    EXPECT_DOUBLE_EQ(cell.mean, metric.mean) << metric.name;
    EXPECT_NEAR(cell.low, metric.low, 1e-5 * std::abs(metric.low)) << metric.name;  // resamples are kept as floats
    EXPECT_NEAR(cell.high, metric.high, 1e-5 * std::abs(metric.high)) << metric.name;
  }
}

TEST_F(ResultsTest, IntervalsHoldTheMeanOverSeeds) {
  const Plan plan = plan_of(3);
  RunStore store = RunStore::create(folder_ / "runs", plan);
  for (int number = 0; number < 3; ++number) {
    store.keep(final_run(plan.arms[0], number, evaluation(static_cast<std::uint64_t>(number))));
  }
  const Results results(store);
  for (const MetricInfo& metric : metric_table()) {
    const Cell cell = results.cells(kData, "test-items", metric.name).front();
    EXPECT_LE(cell.low, cell.mean) << metric.name;
    EXPECT_GE(cell.high, cell.mean) << metric.name;
  }
}

TEST_F(ResultsTest, AMetricThatARunLacksIsUnknown) {
  const Plan plan = plan_of(2);
  RunStore store = RunStore::create(folder_ / "runs", plan);
  for (const Arm& arm : plan.arms) {
    for (int number = 0; number < 2; ++number) {
      Evaluation e = evaluation(arm.name.size() + static_cast<std::uint64_t>(number));
      if (number == 0) {
        e.resampled.erase("ndcg");
        e.per_user.erase("ndcg");
        std::erase_if(e.metrics, [](const MetricResult& metric) { return metric.name == "ndcg"; });
      }
      store.keep(final_run(arm, number, e));
    }
  }
  const Results results(store);
  const std::vector<Cell> cells = results.cells(kData, "test-items", "ndcg");
  for (const Cell& cell : cells) {
    EXPECT_EQ(cell.runs, 2);
    EXPECT_TRUE(std::isnan(cell.mean));
    EXPECT_TRUE(std::isnan(cell.low));
  }
  ASSERT_TRUE(cells.back().base);
  EXPECT_TRUE(std::isnan(cells.back().base->p));
  EXPECT_FALSE(std::isnan(results.cells(kData, "test-items", "auc").front().mean));
}

}  // namespace
}  // namespace equipoise
