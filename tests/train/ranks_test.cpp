// Over the table of methods and bases: however many ranks share steps and tables, the model's bytes are one process's.
#include "data/temp_folder.h"
#include "train/thread_ranks.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

TrainParams short_run(const Case& c, int epochs, int batch_size) {
  TrainParams train;
  train.epochs = epochs + make_method(c.method)->warm_up();
  train.batch_size = batch_size;
  train.checkpoint_seconds = 0;
  return train;
}

std::string bytes_of_ranks(int count, const Case& c, const Dataset& data, const TrainParams& train,
                           const Settings& settings = {}, int threads = 1, const TrainHooks& hooks = {}) {
  std::string out;
  on_ranks(count, [&](Ranks& ranks) {
    TrainHooks own = hooks;
    own.ranks = &ranks;
    const std::string bytes = train_case(c, data, train, threads, own, settings).bytes();
    if (ranks.first()) out = bytes;  // it has the whole tables
  });
  return out;
}

class EveryTrainingOnRanks : public ::testing::TestWithParam<Case> {};

TEST_P(EveryTrainingOnRanks, RanksDoNotChangeAByte) {
  const Dataset data = known_log(150, 25, 8);
  const TrainParams train = short_run(GetParam(), 2, 600);  // the last batch is a chunk or less
  const std::string alone = train_case(GetParam(), data, train).bytes();
  for (const int count : {2, 3, 4}) {
    EXPECT_TRUE(bytes_of_ranks(count, GetParam(), data, train, {}, count == 2 ? 2 : 1) == alone) << count << " ranks";
  }
}

TEST_P(EveryTrainingOnRanks, EveryChoiceHasTheSameBytes) {
  if (!GetParam().variant.empty()) GTEST_SKIP() << "tried with the first variant";
  Dataset data = known_log(150, 25, 8);
  for (std::size_t t = 0; t < data.train.size(); ++t) {
    data.train.propensity.push_back(0.1f + 0.2f * static_cast<float>(t % 4));
    data.train.timestamp.push_back(static_cast<std::int64_t>(t * 7 % 31));
  }
  const TrainParams train = short_run(GetParam(), 1, 600);
  for (const Settings& choice : choices(Recipe(GetParam().method, GetParam().base).params())) {
    SCOPED_TRACE(to_string(choice));
    const std::string alone = train_case(GetParam(), data, train, 1, {}, choice).bytes();
    EXPECT_TRUE(bytes_of_ranks(3, GetParam(), data, train, choice) == alone);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryTrainingOnRanks, ::testing::ValuesIn(cases_with_variants()), case_name);

// Trains until the given step, leaves a checkpoint, and goes on with another number of ranks.
TEST(TrainingOnRanks, ResumesOnAnotherNumberOfThem) {
  const Case c{"cbr", "mlp"};
  const Dataset data = known_log(150, 25, 8);
  const TrainParams train = short_run(c, 3, 300);
  const std::string alone = train_case(c, data, train).bytes();
  const TempFolder folder;
  TrainHooks hooks;
  hooks.checkpoint = folder / "checkpoint";
  hooks.resume = true;
  const std::pair<int, std::int64_t> parts[] = {{3, 2}, {1, 4}, {2, 7}};  // ranks, and the step at which they stop
  for (const auto& [count, stop] : parts) {
    EXPECT_THROW(on_ranks(count,
                          [&, last = stop](Ranks& ranks) {
                            Stopping stopping;
                            TrainHooks own = hooks;
                            own.ranks = &ranks;
                            // The last rank alone is told to stop, and all do.
                            own.on_step = [&](std::int64_t step) {
                              stopping.stop = step == last && ranks.rank() + 1 == ranks.size();
                            };
                            train_case(c, data, train, 1, own);
                          }),
                 Interrupted);
    EXPECT_TRUE(file_exists(hooks.checkpoint));
  }
  EXPECT_TRUE(bytes_of_ranks(4, c, data, train, {}, 1, hooks) == alone);
}

TEST(TrainingOnRanks, TablesAreHeldBetweenThem) {
  const Case c{"cbr", "gmf"};
  const Dataset data = known_log(150, 25, 8);
  const TrainParams train = short_run(c, 1, 300);
  const auto numbers = [](const Recommender& r) {
    std::size_t out = 0;
    for (const Network& network : r.networks().all()) {
      for (const TrainedArray& p : network.arrays()) out += p.is_table() ? p.values().size() : 0;
    }
    return out;
  };
  const std::size_t all = numbers(*make_recommender(c, data, train));
  on_ranks(4, [&](Ranks& ranks) {
    const std::size_t own = numbers(*make_recommender(c, data, train, {}, ranks));
    EXPECT_LT(own, all * 2 / 5) << "the tables of features are everybody's";
  });
}

}  // namespace
}  // namespace equipoise::test
