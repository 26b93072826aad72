// The public face alone: from a simulated log to recommendations, a CSV file, and how failures are told.
#include <equipoise/equipoise.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace {

using equipoise::Data;
using equipoise::Failure;
using equipoise::Model;
using equipoise::TrainOptions;

class Api : public ::testing::Test {
 protected:
  Api() {
    std::string pattern = (std::filesystem::temp_directory_path() / "equipoise-api-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Api() override { std::filesystem::remove_all(folder_); }

  static Failure::Kind kind_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const Failure& failure) {
      EXPECT_GT(std::string(failure.what()).size(), 5U);
      return failure.kind();
    }
    ADD_FAILURE() << "no failure";
    return Failure::Kind::failed;
  }

  std::filesystem::path folder_;
};

TrainOptions quick(const std::string& base = "gmf") {
  TrainOptions options;
  options.base = base;
  options.parameters = {{"epochs", "12"}, {"learning_rate", "0.01"}, {"embedding", "8"}};
  return options;
}

TEST_F(Api, GoesFromASimulatedLogToRecommendations) {
  const Data data = Data::simulate({{"users", "600"}, {"items", "20"}, {"width", "8"}, {"seed", "3"}});
  EXPECT_EQ(data.users().size(), 600U);
  EXPECT_EQ(data.items().size(), 20U);
  EXPECT_EQ(data.train_rows(), 3000U);
  EXPECT_GT(data.valid_rows() + data.test_rows(), 900U);

  TrainOptions options = quick();
  int epochs = 0;
  options.on_epoch = [&](const equipoise::EpochReport& report) {
    EXPECT_EQ(report.epoch, ++epochs);
    EXPECT_TRUE(std::isfinite(report.losses.at("fit")));
    EXPECT_GT(report.metric, 0.4);
  };
  const Model model = Model::train(data, options);
  EXPECT_GT(epochs, 1);
  EXPECT_EQ(model.method(), "base");
  EXPECT_EQ(model.base(), "gmf");
  EXPECT_EQ(model.parameter("embedding"), "8");

  const auto metrics = model.evaluate(data);
  EXPECT_GT(metrics.at("auc").mean, 0.6);
  EXPECT_LT(metrics.at("auc").low, metrics.at("auc").mean);
  EXPECT_GT(metrics.at("auc").high, metrics.at("auc").mean);

  const auto best = model.recommend("u17", {.k = 5});
  ASSERT_EQ(best.size(), 5U);
  const auto lower = [](const auto& a, const auto& b) { return a.score > b.score; };
  EXPECT_TRUE(std::is_sorted(best.begin(), best.end(), lower));
  EXPECT_EQ(model.recommend("u17", {.k = 100}).size(), 15U) << "five of twenty were shown";
  EXPECT_EQ(model.recommend("u17", {.k = 100, .include_seen = true}).size(), 20U);
  EXPECT_EQ(model.recommend("nobody", {.k = 100}).size(), 20U);
  EXPECT_EQ(model.score("u17", best[0].item), best[0].score);
  EXPECT_TRUE(std::isfinite(model.score("u17", "nothing")));

  const std::string path = folder_ / "model";
  model.save(path);
  const Model loaded = Model::load(path, 2);
  const std::vector<std::string> users = {"u1", "u2"}, items = {"i1", "i2"};
  EXPECT_EQ(loaded.score(users, items), model.score(users, items));
  EXPECT_EQ(loaded.evaluate(data).at("ndcg").mean, metrics.at("ndcg").mean);
}

TEST_F(Api, ADataSetIsSavedAndOpened) {
  const Data data = Data::simulate({{"users", "50"}, {"items", "10"}});
  data.save(folder_ / "data");
  const Data again = Data::open(folder_ / "data");
  EXPECT_EQ(again.users(), data.users());
  EXPECT_EQ(again.train_rows(), data.train_rows());
  EXPECT_EQ(again.name(), data.name());
  const auto trained = [](const Data& d) { return Model::train(d, quick()).score("u3", "i4"); };
  EXPECT_EQ(trained(again), trained(data));
}

TEST_F(Api, WhatBelongsToADataSetIsSavedWithIt) {
  const Data data = Data::simulate({{"users", "50"}, {"items", "10"}, {"truth", "true"}});
  data.save(folder_ / "data");
  std::ifstream truth(folder_ / "data/truth.csv");
  std::string line;
  int rows = -1;
  while (std::getline(truth, line)) ++rows;
  EXPECT_EQ(rows, 500);
  data.save_pairs(folder_ / "pairs.csv", {{"protocol", "full"}});
  std::ifstream pairs(folder_ / "pairs.csv");
  std::getline(pairs, line);
  EXPECT_EQ(line, "list,user,item,label");
}

TEST_F(Api, ACsvFileIsOpenedByItsColumns) {
  const std::string path = folder_ / "log.csv";
  std::ofstream file(path);
  file << "who,what,stars\n";
  for (int u = 0; u < 20; ++u) {
    for (int i = 0; i < 10; ++i) file << "anna" << u << ",book" << i << ',' << (u * 7 + i * 3) % 5 + 1 << '\n';
  }
  file.close();
  const Data data = Data::open(
      path, {{"user_column", "who"}, {"item_column", "what"}, {"label_column", "stars"}, {"positive_at_least", "4"}});
  EXPECT_EQ(data.users().size(), 20U);
  EXPECT_EQ(data.train_rows() + data.valid_rows() + data.test_rows(), 200U);
  TrainOptions options;
  options.method = "mean";
  options.base = "";
  EXPECT_EQ(Model::train(data, options).recommend("anna3", {.k = 2, .include_seen = true}).size(), 2U);
}

TEST_F(Api, FailuresHaveAKind) {
  EXPECT_EQ(kind_of([] { Data::open("/nowhere/at/all.csv"); }), Failure::Kind::bad_data);
  EXPECT_EQ(kind_of([] { Data::simulate({{"user", "50"}}); }), Failure::Kind::usage);
  EXPECT_EQ(kind_of([] { Data::simulate({{"users", "many"}}); }), Failure::Kind::usage);
  const Data data = Data::simulate({{"users", "50"}, {"items", "10"}});
  TrainOptions wrong = quick("gmff");
  EXPECT_EQ(kind_of([&] { Model::train(data, wrong); }), Failure::Kind::usage);
  wrong = quick();
  wrong.parameters["learning_rat"] = "1";
  EXPECT_EQ(kind_of([&] { Model::train(data, wrong); }), Failure::Kind::usage);
  const Model model = Model::train(data, quick());
  EXPECT_EQ(kind_of([&] { model.evaluate(data, {{"protocol", "guessing"}}); }), Failure::Kind::usage);
  EXPECT_EQ(kind_of([&] { static_cast<void>(model.parameter("embeding")); }), Failure::Kind::usage);
  const std::string path = folder_ / "broken.model";
  std::ofstream(path) << "this is no model, whatever it says";
  EXPECT_EQ(kind_of([&] { Model::load(path); }), Failure::Kind::check_failed);
  data.save(folder_ / "data");
  EXPECT_EQ(kind_of([&] { Data::open(folder_ / "data", {{"user_column", "who"}}); }), Failure::Kind::usage);
}

TEST_F(Api, TheTablesAreThere) {
  const auto methods = equipoise::method_names(), bases = equipoise::base_names();
  EXPECT_NE(std::find(methods.begin(), methods.end(), "base"), methods.end());
  EXPECT_NE(std::find(bases.begin(), bases.end(), "gmf"), bases.end());
  EXPECT_DOUBLE_EQ(equipoise::probability(0), 0.5);
}

}  // namespace
