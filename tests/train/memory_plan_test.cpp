// The memory that a run is said to take: counted from its networks, and refused above a limit.
#include "train/memory_plan.h"

#include "train/training.h"

namespace equipoise::test {
namespace {

std::uint64_t part(const MemoryPlan& plan, const std::string& what) {
  for (const MemoryPlan::Part& p : plan.parts) {
    if (p.what == what) return p.bytes;
  }
  return 0;
}

TEST(MemoryPlan, CountsParametersAndWhatTrainingAddsToThem) {
  const Dataset data = known_log(200, 50, 5, false);
  TrainParams train;
  const auto r = make_recommender({"base", "gmf"}, data, train, {{"history", "none"}, {"embedding", "32"}});
  // (200 + 50) × (32 + 1 bias), h (32) and b (1)
  const std::uint64_t numbers = 250 * 33 + 33;
  const MemoryPlan plan = plan_memory(*r, data, train);
  EXPECT_EQ(part(plan, "trained arrays"), 4 * numbers);
  EXPECT_EQ(part(plan, "the optimiser's memory"), 8 * numbers);
  const bool valid = !data.valid.empty();
  EXPECT_EQ(part(plan, "the best epoch so far"), valid ? 4 * numbers : 0);
  train.optimizer.name = "sgd";
  EXPECT_EQ(part(plan_memory(*r, data, train), "the optimiser's memory"), 0u);
  EXPECT_LE(least_memory(data, 32, train).total(), plan_memory(*r, data, train).total());
  EXPECT_LT(least_memory(data, 32, train, 4).total(), least_memory(data, 32, train).total());
}

TEST(MemoryPlan, ABatchIsNotLargerThanTheLog) {
  const Dataset data = known_log(200, 50, 5, false);
  TrainParams train;
  const auto r = make_recommender({"cbr", "mlp"}, data, train);
  train.batch_size = static_cast<int>(data.train.size());
  const std::uint64_t all = plan_memory(*r, data, train).total();
  train.batch_size = 1 << 24;
  EXPECT_EQ(plan_memory(*r, data, train).total(), all);
}

TEST(MemoryPlan, RefusesInOneLineWhatIsAboveTheLimit) {
  const MemoryPlan plan{{{"trained arrays", std::uint64_t{3} << 30}, {"data", std::uint64_t{512} << 20}}};
  plan.check(0);
  plan.check(plan.total());
  try {
    plan.check(plan.total() - 1);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "training would take about 3.5 GiB (3.0 GiB trained arrays, 512 MiB data), and memory_limit is 3.5 GiB");
  }
}

TEST(MemoryPlan, AmountsAreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_bytes("", "x"), 0u);
  EXPECT_EQ(parse_bytes("1000", "x"), 1000u);
  EXPECT_EQ(parse_bytes("2G", "x"), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1.5GiB", "x"), std::uint64_t{3} << 29);
  EXPECT_EQ(parse_bytes("512MB", "x"), std::uint64_t{512} << 20);
  for (const char* bad : {"G", "two", "2T", "-1G", "1e3", "2 G", "99999999999G"}) {
    EXPECT_THROW(parse_bytes(bad, "x"), UsageError) << bad;
  }
}

}  // namespace
}  // namespace equipoise::test
