// The controls of labelled logs: mean-popularity, mixed by validation, and dcf, which finds what exposure says.
#include "train/training.h"

namespace equipoise::test {
namespace {

/// Every item of one quality, and shown as often as its number says; valid has every pair.
Dataset popularity_log(double popular) {
  Dataset data = empty_log("popular", 200, 12);
  Stream stream(3, "popular");
  for (int u = 0; u < 200; ++u) {
    for (int i = 0; i < 12; ++i) {
      const double liking = popular * (std::log1p(16.0 * i) - 4);
      const bool liked = stream.uniform() < 1 / (1 + std::exp(-liking));
      if (stream.uniform() < 0.08 * i) add_row(data.train, u, i, stream.below(2) == 0);  // train's labels say nothing
      add_row(u % 2 == 0 ? data.valid : data.test, u, i, liked);
    }
  }
  return data;
}

TEST(MeanPopularity, TakesPopularityWhereValidationSaysSo) {
  for (const double sign : {1.0, -1.0}) {
    const Dataset data = popularity_log(sign);
    const Trained trained = train_case({"mean-popularity", ""}, data, TrainParams());
    const Json& findings = trained.recommender->training.at("findings");
    EXPECT_GT(sign * findings.at("log_popularity").as_double(), 0);
    EXPECT_GT(counted_auc(*trained.recommender, data.test),
              counted_auc(*train_case({"mean", ""}, data, TrainParams()).recommender, data.test) + 0.1);
    EXPECT_NEAR(counted_auc(*trained.recommender, data.valid), trained.result.best_metric, 1e-9);
  }
}

TEST(MeanPopularity, IsNeverWorseThanTheMeanOnValidationAndIsTheMeanWithoutIt) {
  Dataset data = known_log(150, 20, 6);
  const Trained mean = train_case({"mean", ""}, data, TrainParams());
  EXPECT_GE(train_case({"mean-popularity", ""}, data, TrainParams()).result.best_metric, mean.result.best_metric);
  data.valid = {};
  const Trained plain = train_case({"mean-popularity", ""}, data, TrainParams());
  EXPECT_EQ(plain.recommender->training.at("findings").at("item_mean").as_double(), 1);
  EXPECT_EQ(plain.recommender->training.at("findings").at("log_popularity").as_double(), 0);
  EXPECT_EQ(scores_of(*plain.recommender, data.test), scores_of(*mean.recommender, data.test));
}

/// Users of two kinds are shown items of their kind four times in five; liking depends on that by `effect` alone.
Dataset exposed_log(double effect) {
  Dataset data = empty_log("exposed", 300, 40);
  Stream stream(7, "exposed");
  for (int u = 0; u < 300; ++u) {
    for (int n = 0; n < 12; ++n) {
      const bool own = stream.uniform() < 0.8;
      const int i = 2 * static_cast<int>(stream.below(20)) + (own ? u % 2 : 1 - u % 2);
      add_row(data.train, u, i, stream.uniform() < 1 / (1 + std::exp(own ? -effect : effect)));
    }
  }
  return data;
}

TEST(Dcf, FindsAPlantedEffectOfExposure) {
  TrainParams train;
  train.epochs = 30;
  train.batch_size = 64;
  train.learning_rate = 0.01f;
  train.lambda = 1e-3f;
  const auto effect = [&](double planted) {
    const Trained out = train_case({"dcf", "gmf"}, exposed_log(planted), train, 1, {},
                                   {{"exposure_width", "4"},
                                    {"history", "none"},
                                    {"embedding", "32"},
                                    {"start_deviation", "0.1"},
                                    {"lambda_biases", "1e-3"}});
    return out.recommender->training.at("findings").at("exposure_effect_mean").as_double();
  };
  const double none = effect(0);
  EXPECT_GT(effect(1.5), none + 0.2);
  EXPECT_LT(effect(-1.5), none - 0.2);
  EXPECT_LT(std::abs(none), 0.15);
}

}  // namespace
}  // namespace equipoise::test
