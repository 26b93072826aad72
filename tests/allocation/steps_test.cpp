// A warm step of every method with every base, as the trainer runs it, asks the system for no memory.
#include "allocation/counter.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

class EveryStep : public ::testing::TestWithParam<Case> {};

// What happens once an epoch (phases, means, validation) may allocate; what happens once a batch may not.
TEST_P(EveryStep, AllocatesNothingOnceWarm) {
  const Dataset data = known_log(400, 25, 8);
  TrainParams train;
  train.epochs = 3 + make_method(GetParam().method)->warm_up();
  train.batch_size = 200;  // two chunks of rows
  train.patience = 0;
  for (const int threads : {1, 2}) {
    std::vector<std::size_t> counts;
    counts.reserve(1000);
    TrainHooks hooks;
    hooks.on_step = [&](std::int64_t) { counts.push_back(allocations()); };
    Pool pool(threads);
    meet(pool);
    const auto recommender = make_recommender(GetParam(), data, train);
    const TrainResult result = Trainer(*recommender, data, train, pool, hooks).run();
    if (GetParam().base.empty()) GTEST_SKIP() << "nothing is fitted";
    ASSERT_GT(result.steps, 0);
    const std::size_t steps = counts.size() / static_cast<std::size_t>(train.epochs);
    ASSERT_GE(steps, 5U);
    for (std::size_t k = counts.size() - steps + 1; k < counts.size(); ++k) {
      EXPECT_EQ(counts[k] - counts[k - 1], 0U) << threads << " threads, step " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryStep, ::testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace equipoise::test
