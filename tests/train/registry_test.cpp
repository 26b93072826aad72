// Over the table of methods and bases: threads, interruptions, saving, a tiny log by heart, a known answer found.
#include "data/temp_folder.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

class EveryTraining : public ::testing::TestWithParam<Case> {
 protected:
  bool has_phases(const Dataset& data) const { return !Built(GetParam(), data).method->phases(1).empty(); }
  TrainParams short_run(int epochs, int batch_size) const;
};

/// So many epochs after the method's warm-up.
TrainParams EveryTraining::short_run(int epochs, int batch_size) const {
  TrainParams train;
  train.epochs = epochs + make_method(GetParam().method)->warm_up();
  train.batch_size = batch_size;
  train.checkpoint_seconds = 0;
  return train;
}

TEST_P(EveryTraining, ThreadsDoNotChangeAByte) {
  const Dataset data = known_log(150, 25, 8);
  const TrainParams train = short_run(2, 600);  // several chunks of 128 rows in a batch, and a smaller last batch
  ASSERT_GT(data.train.size(), 600U);
  const std::string one = train_case(GetParam(), data, train, 1).bytes();
  EXPECT_TRUE(one == train_case(GetParam(), data, train, 2).bytes()) << "2 threads";
  EXPECT_TRUE(one == train_case(GetParam(), data, train, 4).bytes()) << "4 threads";
  EXPECT_TRUE(one == train_case(GetParam(), data, train, 1).bytes()) << "the same again";
}

TEST_P(EveryTraining, TheSeedMattersWhereThereIsSomethingToTrain) {
  const Dataset data = known_log(60, 12);
  TrainParams train = short_run(1, 64);
  const Trained one = train_case(GetParam(), data, train);
  train.seed = 2;
  const Trained other = train_case(GetParam(), data, train);
  EXPECT_EQ(scores_of(*one.recommender, data.test) != scores_of(*other.recommender, data.test), has_phases(data));
}

TEST_P(EveryTraining, SavedAndLoadedIsTheSame) {
  const Dataset data = known_log(60, 12);
  const Trained trained = train_case(GetParam(), data, short_run(2, 64));
  const test::TempFolder folder;
  trained.recommender->save(folder / "model");
  Pool pool(2);
  const auto loaded = Recommender::load(folder / "model", pool);
  EXPECT_EQ(scores_of(*loaded, data.test), scores_of(*trained.recommender, data.test));
  EXPECT_EQ(loaded->training, trained.recommender->training);
  EXPECT_EQ(loaded->recipe().title(), trained.recommender->recipe().title());
  loaded->save(folder / "again");
  EXPECT_TRUE(read_file(folder / "model") == read_file(folder / "again"));
  EXPECT_TRUE(read_file(folder / "model") == trained.bytes());
}

TEST_P(EveryTraining, InterruptedAndResumedIsNeverInterrupted) {
  const Dataset data = known_log(60, 12);
  const TrainParams train = short_run(3, 48);
  const Trained whole = train_case(GetParam(), data, train);
  const std::int64_t steps = whole.result.steps;
  Stream stream(1, "interruptions of " + GetParam().method + GetParam().base);
  std::vector<std::int64_t> stops = {1 + stream.below(3)};  // early, anywhere, and at the end of an epoch
  if (steps > 3) stops.insert(stops.end(), {2 + stream.below(static_cast<std::uint32_t>(steps - 2)), steps / 3});
  const test::TempFolder folder;
  int done = 0;
  const Trained resumed = train_interrupted(GetParam(), data, train, folder / "checkpoint", stops, done);
  EXPECT_EQ(done > 0, has_phases(data));
  EXPECT_TRUE(resumed.bytes() == whole.bytes());
  EXPECT_EQ(resumed.result.best_epoch, whole.result.best_epoch);
}

TEST_P(EveryTraining, LearnsATinyLogByHeart) {
  const Dataset data = whole_log();
  TrainParams train = short_run(20, 64);
  train.learning_rate = 0.02f;
  train.lambda = 0;
  train.patience = 0;
  if (GetParam().base.empty()) GTEST_SKIP() << "nothing is fitted";
  const bool order_only = !make_method(GetParam().method)->scores_are_chances();
  if (order_only) {
    train.metric = "auc_user_weighted";
    train.epochs = 40;
    train.learning_rate = 0.005f;  // of pda a score far below 0 has hardly any gradient left
  }
  const Trained trained = train_case(GetParam(), data, train);
  EXPECT_GT(counted_auc(*trained.recommender, data.train, order_only), 0.95);
  const bool by_half = make_method(GetParam().method)->needs().random;
  const Rows judging = by_half ? random_halves(data).judging : data.valid;
  EXPECT_NEAR(counted_auc(*trained.recommender, judging, order_only), trained.result.best_metric, 1e-9);
}

TEST_P(EveryTraining, FindsAKnownAnswer) {
  const Dataset data = known_log(400, 20, 8, false);
  TrainParams train = short_run(30, 128);
  train.learning_rate = 0.01f;
  const Trained trained = train_case(GetParam(), data, train);
  // 1,200 pairs: the standard error of the AUC of a coin is 0.017.
  ASSERT_EQ(data.test.size(), 1200U);
  EXPECT_GT(counted_auc(*trained.recommender, data.test), 0.6);
  std::vector<float> probability = scores_of(*trained.recommender, data.test);
  for (const float score : probability) ASSERT_TRUE(std::isfinite(score));
}

TEST_P(EveryTraining, UnknownAndColdPairsHaveFiniteScores) {
  const Dataset data = known_log(60, 12);
  const Trained trained = train_case(GetParam(), data, short_run(1, 64));
  const std::int32_t user = data.users.size() - 1, item = data.items.size() - 1;  // without training rows
  Rows rows;
  for (const std::int32_t u : {-1, 0, user}) {
    for (const std::int32_t i : {-1, 0, item}) add_row(rows, u, i, false);
  }
  for (const float score : scores_of(*trained.recommender, rows)) EXPECT_TRUE(std::isfinite(score));
  EXPECT_EQ(trained.recommender->top_k(-1, {5, false, {}}, one_thread()).size(), 5U);
}

TEST_P(EveryTraining, WithoutFeaturesOrIdsOrBiasesItTrainsToo) {
  const Dataset plain = known_log(60, 12, 6, false), featured = known_log(60, 12);
  if (GetParam().base.empty()) GTEST_SKIP() << "no model, no settings of one";
  const auto finite = [&](const Dataset& data, const Settings& settings) {
    const Trained trained = train_case(GetParam(), data, short_run(1, 64), 1, {}, settings);
    const std::vector<float> scores = scores_of(*trained.recommender, data.test);
    return std::all_of(scores.begin(), scores.end(), [](float s) { return std::isfinite(s); });
  };
  EXPECT_TRUE(finite(plain, {{"biases", "false"}}));
  EXPECT_TRUE(finite(featured, {{"ids", "false"}, {"embedding", "3"}}));
  EXPECT_TRUE(finite(featured, {{"features", "false"}}));
  EXPECT_THROW(finite(plain, {{"ids", "false"}}), UsageError);
}

TEST_P(EveryTraining, EveryChoiceTrainsAndResumes) {
  if (!GetParam().variant.empty()) GTEST_SKIP() << "tried with the first variant";
  Dataset data = known_log(60, 12);
  for (std::size_t t = 0; t < data.train.size(); ++t) {
    data.train.propensity.push_back(0.1f + 0.2f * static_cast<float>(t % 4));
    data.train.timestamp.push_back(static_cast<std::int64_t>(t * 7 % 31));
  }
  const TrainParams train = short_run(2, 64);
  for (const Settings& choice : choices(Recipe(GetParam().method, GetParam().base).params())) {
    SCOPED_TRACE(to_string(choice));
    const test::TempFolder folder;
    const Trained whole = train_case(GetParam(), data, train, 2, {}, choice);
    for (const float score : scores_of(*whole.recommender, data.test)) ASSERT_TRUE(std::isfinite(score));
    const auto loaded = Recommender::from_bytes(whole.bytes(), "bytes", one_thread());
    EXPECT_EQ(scores_of(*loaded, data.test), scores_of(*whole.recommender, data.test));
    int done = 0;
    const std::vector<std::int64_t> stops = {whole.result.steps / 2 + 1, whole.result.steps - 1};
    const Trained resumed = train_interrupted(GetParam(), data, train, folder / "checkpoint", stops, done, choice);
    EXPECT_TRUE(resumed.bytes() == whole.bytes());
  }
}

TEST_P(EveryTraining, AGraphIsSavedLoadedAndResumed) {
  if (GetParam().base.empty()) GTEST_SKIP() << "no model, no graph";
  const Dataset data = known_log(60, 12);
  const TrainParams train = short_run(2, 64);
  const Settings settings = {{"graph_layers", "2"}, {"graph_refresh", "3"}, {"history", "shown"}};
  const Trained whole = train_case(GetParam(), data, train, 2, {}, settings);
  const test::TempFolder folder;
  int done = 0;
  const std::vector<std::int64_t> stops = {whole.result.steps / 2 + 1, whole.result.steps - 1};
  const Trained resumed = train_interrupted(GetParam(), data, train, folder / "checkpoint", stops, done, settings);
  EXPECT_TRUE(resumed.bytes() == whole.bytes());
  const auto loaded = Recommender::from_bytes(whole.bytes(), "bytes", one_thread());
  EXPECT_EQ(scores_of(*loaded, data.test), scores_of(*whole.recommender, data.test));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryTraining, ::testing::ValuesIn(cases_with_variants()), case_name);

}  // namespace
}  // namespace equipoise::test
