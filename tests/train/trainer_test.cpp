// The trainer: which epoch is kept, when it stops, what it leaves behind, and how it ends when it diverges.
#include "data/temp_folder.h"
#include "eval/evaluation.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

using test::error_of;

const Case kGmf = {"base", "gmf"};

/// Learns fast and soon too much: the validation metric rises and falls.
TrainParams overfitting() {
  TrainParams train;
  train.epochs = 12;
  train.batch_size = 64;
  train.learning_rate = 0.05f;
  train.lambda = 0;
  train.patience = 0;
  return train;
}

/// The first epoch whose metric no other exceeds.
int best_of(const std::vector<EpochRecord>& curve) {
  const auto best = std::max_element(curve.begin(), curve.end(),
                                     [](const EpochRecord& a, const EpochRecord& b) { return a.metric < b.metric; });
  return best->epoch;
}

TEST(Trainer, KeepsTheBestEpochAndNotTheLast) {
  const Dataset data = known_log(150, 20, 6, false);
  const Trained trained = train_case(kGmf, data, overfitting());
  ASSERT_EQ(trained.result.curve.size(), 12U) << "patience 0 runs all epochs";
  EXPECT_FALSE(trained.result.stopped_early);
  const int best = best_of(trained.result.curve);
  ASSERT_LT(best, 12) << "the log no longer overfits: the test shows nothing";
  EXPECT_EQ(trained.result.best_epoch, best);
  const auto batches = static_cast<std::int64_t>(chunks(data.train.size(), 64));
  EXPECT_EQ(trained.result.best_step, best * batches);
  EXPECT_EQ(trained.result.steps, 12 * batches);
  EXPECT_NEAR(counted_auc(*trained.recommender, data.valid), trained.result.best_metric, 1e-9);

  TrainParams shorter = overfitting();
  shorter.epochs = best;
  const Trained exact = train_case(kGmf, data, shorter);
  EXPECT_EQ(scores_of(*trained.recommender, data.test), scores_of(*exact.recommender, data.test));
}

TEST(Trainer, PatienceStopsSoManyEpochsAfterTheBest) {
  const Dataset data = known_log(150, 20, 6, false);
  TrainParams train = overfitting();
  train.epochs = 100;
  train.patience = 2;
  const TrainResult result = train_case(kGmf, data, train).result;
  EXPECT_TRUE(result.stopped_early);
  EXPECT_EQ(static_cast<int>(result.curve.size()), result.best_epoch + 2);
  EXPECT_EQ(result.best_epoch, best_of(result.curve));
}

TEST(Trainer, WarnsWhereTheLogsOwnWeightsLeaveFewRows) {
  Dataset data = known_log(60, 12);
  TrainParams train;
  train.epochs = 1;
  const auto said = [&](float first) {
    data.train.weight.assign(data.train.size(), 1.0f);
    data.train.weight[0] = first;
    const Hearing hearing;
    train_case(kGmf, data, train);
    return hearing.warnings;
  };
  EXPECT_TRUE(said(1).empty());
  EXPECT_EQ(said(1e6f).at(0).find("the log's own weights are so unequal"), 0U);
}

TEST(Trainer, AMetricThatShouldBeSmallIsMadeSmall) {
  const Dataset data = known_log(150, 20, 6, false);
  TrainParams train = overfitting();
  train.metric = "log_loss";
  const TrainResult result = train_case(kGmf, data, train).result;
  for (const EpochRecord& record : result.curve) EXPECT_GE(record.metric, result.best_metric);
}

TEST(Trainer, WithoutAValidationPartTheLastEpochIsKept) {
  Dataset data = known_log(150, 20, 6, false);
  data.valid = {};
  TrainParams train = overfitting();
  train.patience = 1;
  const Trained trained = train_case(kGmf, data, train);
  EXPECT_EQ(trained.result.curve.size(), 12U);
  EXPECT_EQ(trained.result.best_epoch, 12);
  EXPECT_TRUE(std::isnan(trained.result.best_metric));
  EXPECT_TRUE(trained.recommender->training.at("best_metric").is_null());
  const std::vector<EpochRecord>& curve = trained.result.curve;
  EXPECT_LT(curve.back().losses.at("fit"), curve.front().losses.at("fit"));
}

TEST(Trainer, TellsItsStory) {
  const Dataset data = known_log(60, 12);
  TrainParams train = overfitting();
  train.epochs = 3;
  std::vector<EpochRecord> told;
  std::int64_t steps = 0;
  TrainHooks hooks;
  hooks.on_epoch = [&](const EpochRecord& record) { told.push_back(record); };
  hooks.on_step = [&](std::int64_t step) { EXPECT_EQ(step, ++steps); };
  const Trained trained = train_case(kGmf, data, train, 1, hooks);
  const Json& story = trained.recommender->training;
  const auto& curve = story.at("curve").as_array();
  ASSERT_EQ(curve.size(), 3U);
  ASSERT_EQ(told.size(), 3U);
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(curve[e].at("epoch").as_int(), static_cast<std::int64_t>(e) + 1);
    EXPECT_EQ(curve[e].at("auc").as_double(), told[e].metric);
    EXPECT_EQ(curve[e].at("losses").at("fit").as_double(), told[e].losses.at("fit"));
  }
  EXPECT_EQ(steps, trained.result.steps);
  EXPECT_EQ(story.at("settings").at("batch_size").as_int(), 64);
  EXPECT_EQ(story.at("best_epoch").as_int(), trained.result.best_epoch);
  EXPECT_TRUE(story.at("findings").is_object());
}

TEST(Trainer, ARunThatWouldEndBeforeWhatPredictsIsTrainedIsRefused) {
  const Dataset data = known_log(60, 12);
  TrainParams train = overfitting();
  for (const int epochs : {2, 3}) {
    train.epochs = epochs;
    EXPECT_EQ(error_of<UsageError>([&] {
                train_case({"att", "gmf"}, data, train, 1, {}, {{"labeller_epochs", "3"}});
              }),
              "epochs = " + std::to_string(epochs) +
                  " must be above labeller_epochs = 3: what predicts is trained only after those");
  }
  train.epochs = 4;
  EXPECT_EQ(train_case({"att", "gmf"}, data, train, 1, {}, {{"labeller_epochs", "3"}}).result.best_epoch, 4);
}

TEST(Trainer, AFirstEpochsLossIsTheMeanOverItsBatches) {
  const Dataset data = known_log(60, 12);
  TrainParams train = overfitting();
  train.epochs = 1;
  train.learning_rate = 1e-9f;  // stays at the start
  train.batch_size = static_cast<int>(data.train.size() / 3);
  const Trained trained = train_case(kGmf, data, train, 1, {}, {{"history", "none"}});
  Built built(kGmf, data, {}, train.seed);
  Batches batches(data.train, data.users.size(), data.items.size(), static_cast<std::size_t>(train.batch_size), 1);
  batches.begin_epoch(1);
  double total = 0;
  for (std::size_t b = 0; b < batches.count(); ++b) {
    Tape tape(*trained.pool);
    total += built.method->phases(1).front().loss(tape, batches.make(b)).number();
  }
  EXPECT_NEAR(trained.result.curve.front().losses.at("fit"), total / static_cast<double>(batches.count()), 1e-5);
}

TEST(Trainer, MeasuringSticksAreValidatedToo) {
  const Dataset data = known_log(60, 12);
  const Trained trained = train_case({"mean", ""}, data, TrainParams());
  EXPECT_EQ(trained.result.best_epoch, 0);
  EXPECT_EQ(trained.result.steps, 0);
  EXPECT_NEAR(trained.result.best_metric, counted_auc(*trained.recommender, data.valid), 1e-9);
}

/// Weights that make any step a leap.
Dataset nasty_log() {
  Dataset data = known_log(60, 12, 6, false);
  data.train.weight.assign(data.train.size(), 1e12f);
  return data;
}

TrainParams leaping() {
  TrainParams train;
  train.optimizer.name = "sgd";
  train.learning_rate = 10;
  train.lambda = 0;
  train.batch_size = 32;
  return train;
}

TEST(Trainer, DivergenceNamesStepEpochBatchAndRate) {
  const std::string text = error_of<CheckError>([] { train_case(kGmf, nasty_log(), leaping()); });
  EXPECT_NE(text.find("training diverged"), std::string::npos) << text;
  for (const char* word : {"step ", "(epoch 1, batch ", "learning rate 10)", "smaller learning_rate"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << ": " << text;
  }
}

TEST(Trainer, DivergenceAtTheVeryLastStepIsFoundToo) {
  Dataset data = nasty_log();
  data.valid = {};
  TrainParams train = leaping();
  train.epochs = 1;
  train.batch_size = 100000;  // one step, and no loss after it
  train.learning_rate = 10000;
  data.train.weight.assign(data.train.size(), 3e38f);
  for (std::size_t t = 0; t < data.train.size(); t += 2) data.train.weight[t] = 0;
  const std::string text = error_of<CheckError>([&] { train_case(kGmf, data, train); });
  EXPECT_NE(text.find("is not finite at step 1 (epoch 1, batch 1, learning rate 10000)"), std::string::npos) << text;
}

TEST(Trainer, AMetricThatIsNotDefinedIsRefusedAtTheStart) {
  Dataset data = known_log(60, 12);
  std::fill(data.valid.label.begin(), data.valid.label.end(), 0.0f);
  EXPECT_THROW(train_case(kGmf, data, overfitting()), DataError);
}

TEST(Trainer, AValidationPartOfPositivesOnlyIsRankedAgainstTheCatalogue) {
  Dataset data = known_log(60, 30);
  std::fill(data.valid.label.begin(), data.valid.label.end(), 1.0f);
  TrainParams train = overfitting();
  EXPECT_EQ(train.metric, "auto");
  for (const Case& c : {kGmf, Case{"base", "mlp"}, Case{"cbr", "gmf"}}) {
    const auto trained = train_case(c, data, train);
    const Json& story = trained.recommender->training;
    EXPECT_EQ(story.at("metric").as_string(), "ndcg");
    EXPECT_EQ(story.at("settings").at("metric").as_string(), "ndcg");
    EvaluationPlan plan{.protocol = "full", .k = train.metric_k, .part = Part::valid, .replicates = 0};
    Pool pool(1);
    EXPECT_NEAR(evaluate(PoolScorer(*trained.recommender, pool), data, plan, pool).mean("ndcg"),
                trained.result.best_metric, 1e-6);
  }
  EXPECT_EQ(train_case(kGmf, known_log(60, 30), train).recommender->training.at("metric").as_string(), "auc");
}

TEST(Trainer, SaysWhetherListsArePersonal) {
  const Dataset data = known_log(60, 30);
  const auto trained = train_case(kGmf, data, overfitting());
  Pool pool(1);
  const ListVariety lists =
      list_variety(*trained.recommender, users_for_lists(*trained.recommender, kMostUsersForLists), {}, pool);
  const Json& findings = trained.recommender->training.at("findings");
  EXPECT_EQ(findings.at("list_items").as_int(), lists.items);
  EXPECT_EQ(findings.at("list_difference").as_double(), lists.difference);
  const auto popular = train_case({"popularity", ""}, data, overfitting());
  EXPECT_LT(popular.recommender->training.at("findings").at("list_difference").as_double(), lists.difference);
}

}  // namespace
}  // namespace equipoise::test
