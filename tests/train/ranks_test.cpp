// Over the table of methods and bases: however many ranks share steps and tables, the model's bytes are one process's.
#include <atomic>
#include <set>

#include "data/share_out.h"
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

// As training from the command line does: what ranks can hold between them is with its holders.
Dataset shared_out(const Case& c, Dataset data, const Settings& settings, Ranks& ranks) {
  Recipe recipe(c.method, c.base);
  for (const auto& [name, value] : c.with(settings)) recipe.params().set(name, value);
  share_out(data, ranks, recipe.shares_tables() && !recipe.reads_user_features());
  return data;
}

std::string bytes_of_ranks(int count, const Case& c, const Dataset& data, const TrainParams& train,
                           const Settings& settings = {}, int threads = 1, const TrainHooks& hooks = {}) {
  std::string out;
  on_ranks(count, [&](Ranks& ranks) {
    TrainHooks own = hooks;
    own.ranks = &ranks;
    const Dataset mine = shared_out(c, data, settings, ranks);
    const std::string bytes = train_case(c, mine, train, threads, own, settings).bytes();
    if (ranks.first()) out = bytes;  // it is given the whole arrays
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

TEST(TrainingOnRanks, IdsAndFeaturesAreHeldBetweenThem) {
  const Dataset data = known_log(150, 25, 8);
  const std::string fingerprint = data.fingerprint();
  std::atomic<std::size_t> names = 0, numbers = 0;
  on_ranks(4, [&](Ranks& ranks) {
    const Dataset own = shared_out({"cbr", "mlp"}, data, {}, ranks);
    EXPECT_EQ(own.users.size(), 150);
    EXPECT_EQ(own.fingerprint(), fingerprint);
    EXPECT_LE(own.users.names().size(), 38u);
    names += own.users.names().size();
    numbers += own.user_features.continuous[0].values.size();
    const Share share = share_of(150, ranks);
    EXPECT_EQ(own.users.name(static_cast<std::int32_t>(share.begin)),
              data.users.name(static_cast<std::int32_t>(share.begin)));
    EXPECT_EQ(own.users.find(data.users.name(static_cast<std::int32_t>(share.begin))), -1);
    EXPECT_EQ(
        shared_out({"ips", "mlp"}, data, {{"propensity", "logistic"}}, ranks).user_features.continuous[0].values.size(),
        150u)
        << "all of them are read to fit propensities";
    EXPECT_EQ(shared_out({"autodebias", "mlp"}, data, {}, ranks).user_features.continuous[0].values.size(), 150u);
  });
  EXPECT_EQ(names, 150u);
  EXPECT_EQ(numbers, 150u);
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

// What a step sends more where users' numbers are not with everybody.
TEST(TrainingOnRanks, SendsUsersNumbersOnceAStep) {
  const Case c{"cbr", "gmf"};  // two phases look the same users up
  const Dataset data = known_log(150, 25, 8);
  const TrainParams train = short_run(c, 1, 512);
  const Settings settings = {{"confounder", "false"}};  // and no drawn pairs
  on_ranks(2, [&](Ranks& ranks) {
    std::vector<std::int32_t> users;
    const auto sent = [&](const Dataset& own) {
      auto recommender = make_recommender(c, own, train, settings, ranks);
      recommender->recipe().method().read(own);
      Pool pool(1);
      Step step(*recommender, train, pool, ranks);
      Batches batches(own.train, own.known_users(), own.known_items(), 512, train.seed);
      batches.begin_epoch(1);
      const Batch& batch = batches.make(0);
      users.assign(batch.shown.user.begin(), batch.shown.user.end());
      const std::uint64_t before = ranks.bytes_sent();
      step(recommender->recipe().method().phases(1), batch, [](const Phase&, float) {});
      return ranks.bytes_sent() - before;
    };
    const std::uint64_t whole = sent(data), shared = sent(shared_out(c, data, settings, ranks));
    const auto different = [&](int rank, int holder) {
      std::set<std::int32_t> out;
      for (std::size_t k = 0; k < 256; ++k) {
        const std::int32_t user = users[k + (rank == 0 ? 0 : 256)];
        if (user % 2 == holder) out.insert(user);
      }
      return static_cast<std::uint64_t>(out.size());
    };
    const int other = 1 - ranks.rank();
    constexpr std::uint64_t kFields = 2;  // age and income
    EXPECT_EQ(shared - whole, 4 * different(ranks.rank(), other) + 4 * kFields * different(other, ranks.rank()));
  });
}

}  // namespace
}  // namespace equipoise::test
