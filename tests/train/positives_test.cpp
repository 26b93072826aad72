// Logs of positives only, over the methods that learn from them, their bases and losses: all that training promises.
#include "data/temp_folder.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

class EveryPositives : public ::testing::TestWithParam<PositivesCase> {
 protected:
  static TrainParams short_run(int epochs, int batch_size) {
    TrainParams train;
    train.epochs = epochs;
    train.batch_size = batch_size;
    train.checkpoint_seconds = 0;
    return train;
  }
  static Trained run(const Dataset& data, const TrainParams& train, int threads = 1) {
    return train_case(GetParam().arm, data, train, threads, {}, GetParam().settings());
  }
};

TEST_P(EveryPositives, ThreadsDoNotChangeAByte) {
  const Dataset data = positives_of(known_log(250, 25, 8));
  const TrainParams train = short_run(2, 600);
  ASSERT_GT(data.train.size(), 600U);
  const std::string one = run(data, train).bytes();
  EXPECT_TRUE(one == run(data, train, 2).bytes()) << "2 threads";
  EXPECT_TRUE(one == run(data, train, 4).bytes()) << "4 threads";
}

TEST_P(EveryPositives, SavedAndLoadedIsTheSameAndKnowsItsLoss) {
  const Dataset data = positives_of(known_log(60, 12));
  const Trained trained = run(data, short_run(2, 64));
  const test::TempFolder folder;
  trained.recommender->save(folder / "model");
  Pool pool(2);
  const auto loaded = Recommender::load(folder / "model", pool);
  EXPECT_EQ(scores_of(*loaded, data.test), scores_of(*trained.recommender, data.test));
  EXPECT_EQ(loaded->recipe().method().scores_are_chances(),
            trained.recommender->recipe().method().scores_are_chances());
  EXPECT_TRUE(loaded->bytes() == trained.bytes());
  const std::vector<Recommended> list = loaded->top_k(3, {12, true, {}}, pool);
  ASSERT_EQ(list.size(), 12U);
  for (const Recommended& r : list) {
    Rows one;
    add_row(one, 3, r.item, false);
    EXPECT_EQ(r.score, scores_of(*loaded, one).front());
  }
  for (std::size_t k = 1; k < list.size(); ++k) EXPECT_GE(list[k - 1].score, list[k].score);
}

TEST_P(EveryPositives, InterruptedAndResumedIsNeverInterrupted) {
  const Dataset data = positives_of(known_log(60, 12));
  const TrainParams train = short_run(3, 48);
  const Trained whole = run(data, train);
  const test::TempFolder folder;
  int done = 0;
  const std::vector<std::int64_t> stops = {2, whole.result.steps / 3, whole.result.steps - 1};
  const Trained resumed =
      train_interrupted(GetParam().arm, data, train, folder / "checkpoint", stops, done, GetParam().settings());
  EXPECT_EQ(done > 0, whole.result.steps > 0);
  EXPECT_TRUE(resumed.bytes() == whole.bytes());
}

TEST_P(EveryPositives, LearnsATinyLogByHeart) {
  if (GetParam().arm.base.empty()) GTEST_SKIP() << "nothing is fitted";
  // A pair that repeats is a positive of weight above 1, and then the loss of rel-mf has no lower bound.
  const bool once = GetParam().arm.method == "rel-mf";
  const Dataset data = positives_of(whole_log(8, 6, once ? 1 : 60));
  TrainParams train = once ? short_run(400, 8) : short_run(40, 64);
  train.learning_rate = 0.02f;
  train.lambda = 0;
  train.patience = 0;
  train.metric = "auc_user_weighted";
  Settings settings = GetParam().settings();
  settings.insert({{"history", "none"}, {"start_deviation", "0.1"}, {"embedding", "32"}});
  const Trained trained = train_case(GetParam().arm, data, train, 1, {}, settings);
  EXPECT_GT(counted_auc(*trained.recommender, data.valid, true), 0.95);
}

TEST_P(EveryPositives, FindsAKnownAnswer) {
  const Dataset data = positives_of(known_log(400, 20, 8, false));
  TrainParams train = short_run(30, 128);
  train.learning_rate = 0.01f;
  const Trained trained = run(data, train);
  // 1,200 pairs: the standard error of the AUC of a coin is 0.017.
  EXPECT_GT(counted_auc(*trained.recommender, data.test), 0.6);
  for (const float score : scores_of(*trained.recommender, data.test)) ASSERT_TRUE(std::isfinite(score));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryPositives, ::testing::ValuesIn(positives_cases()), positives_case_name);

TEST(PositivesTraining, RefusesAMethodThatNeedsLabels) {
  const Dataset data = positives_of(known_log(60, 12));
  const std::string said = error_of<UsageError>([&] { train_case({"dr", "gmf"}, data, {}); });
  EXPECT_EQ(said.find("the method dr needs rows of both labels, and known answer has positives only"), 0U) << said;
}

TEST(PositivesTraining, TheLossThatTheLogChoseIsInTheRecipe) {
  const Dataset labelled = known_log(60, 12);
  TrainParams train;
  train.epochs = 1;
  const auto recipe = [&](const Dataset& data) {
    return train_case({"base", "gmf"}, data, train).recommender->recipe().to_json();
  };
  EXPECT_EQ(recipe(labelled).at("parameters").find("loss"), nullptr) << "files of labelled logs stay as they were";
  EXPECT_EQ(recipe(positives_of(labelled)).at("parameters").at("loss").as_string(), "pointwise");
}

}  // namespace
}  // namespace equipoise::test
