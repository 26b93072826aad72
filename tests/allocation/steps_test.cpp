// A warm step of every method with every base, as the trainer runs it, asks the system for no memory.
#include "allocation/counter.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

/// What happens once an epoch (phases, means, validation) may allocate; what happens once a batch may not.
void expect_no_allocations(const Case& c, const Dataset& data, const Settings& settings) {
  if (c.base.empty()) GTEST_SKIP() << "nothing is fitted";
  TrainParams train;
  train.epochs = 3 + make_method(c.method)->warm_up();
  train.batch_size = 200;  // two chunks of rows
  train.patience = 0;
  for (const int threads : {1, 2}) {
    std::vector<std::size_t> counts;
    counts.reserve(1000);
    TrainHooks hooks;
    hooks.on_step = [&](std::int64_t) { counts.push_back(allocations()); };
    Pool pool(threads);
    meet(pool);
    const auto recommender = make_recommender(c, data, train, settings);
    const TrainResult result = Trainer(*recommender, data, train, pool, hooks).run();
    ASSERT_GT(result.steps, 0);
    const std::size_t steps = counts.size() / static_cast<std::size_t>(train.epochs);
    ASSERT_GE(steps, 5U);
    for (std::size_t k = counts.size() - steps + 1; k < counts.size(); ++k) {
      EXPECT_EQ(counts[k] - counts[k - 1], 0U) << threads << " threads, step " << k;
    }
  }
}

class EveryStep : public ::testing::TestWithParam<Case> {};

TEST_P(EveryStep, AllocatesNothingOnceWarm) { expect_no_allocations(GetParam(), known_log(400, 25, 8), {}); }

TEST_P(EveryStep, AllocatesNothingWithAHistoryEither) {
  Dataset data = known_log(400, 25, 8);
  for (std::size_t t = 0; t < data.train.size(); ++t) data.train.timestamp.push_back(static_cast<std::int64_t>(t));
  expect_no_allocations(GetParam(), data, {{"history", "both"}});
  expect_no_allocations(GetParam(), data, {{"history", "both"}, {"history_order", "last"}, {"history_most", "5"}});
}

INSTANTIATE_TEST_SUITE_P(Table, EveryStep, ::testing::ValuesIn(cases_with_variants()), case_name);

class EveryStepOnPositives : public ::testing::TestWithParam<PositivesCase> {};

TEST_P(EveryStepOnPositives, AllocatesNothingOnceWarm) {
  const Dataset data = positives_of(known_log(600, 25, 8));
  Settings settings = GetParam().settings();
  expect_no_allocations(GetParam().arm, data, settings);
  settings["history"] = "shown";
  expect_no_allocations(GetParam().arm, data, settings);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryStepOnPositives, ::testing::ValuesIn(positives_cases()), positives_case_name);

}  // namespace
}  // namespace equipoise::test
