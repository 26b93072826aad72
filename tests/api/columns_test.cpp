// Columns as other languages hold them: strided, coded, named; and what was added for callers that own the loop.
#include <equipoise/equipoise.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using equipoise::Data;
using equipoise::Failure;
using equipoise::Ids;
using equipoise::LogArrays;
using equipoise::Model;
using equipoise::Strided;
using equipoise::TrainOptions;

struct Row {
  std::int32_t user;
  std::int64_t item;
  float label;
};

std::vector<Row> some_rows(int users = 30) {
  std::vector<Row> out;
  for (int u = 0; u < users; ++u) {
    for (int i = 0; i < 10; ++i) {
      if ((u + i) % 3 != 0) out.push_back({u * 11 - 5, i, (u * 7 + i * 5) % 11 < 5 ? 1.0f : 0.0f});
    }
  }
  return out;
}

LogArrays by_rows(const std::vector<Row>& rows) {
  const std::ptrdiff_t step = sizeof(Row);
  return {.user = Strided<std::int32_t>{&rows[0].user, rows.size(), step},
          .item = Strided<std::int64_t>{&rows[0].item, rows.size(), step},
          .label = Strided<float>{&rows[0].label, rows.size(), step}};
}

TEST(Columns, MayLieApart) {
  const std::vector<Row> rows = some_rows();
  std::vector<std::string> users, items;
  std::vector<double> labels;
  for (const Row& row : rows) {
    users.push_back(std::to_string(row.user));
    items.push_back(std::to_string(row.item));
    labels.push_back(row.label);
  }
  const Data texts = Data::from_rows({.user = users, .item = items, .label = labels});
  EXPECT_EQ(Data::from_rows(by_rows(rows)).fingerprint(), texts.fingerprint());
  EXPECT_EQ(Data::from_rows(by_rows(rows), {}, {}, 3).fingerprint(), texts.fingerprint());
}

TEST(Columns, MayBeCodes) {
  const std::vector<std::string> words = {"zero", "one", "two", "never used"};
  const Ids dictionary(words);
  std::vector<std::uint8_t> codes;
  std::vector<std::string> users;
  std::vector<int> items, labels;
  for (int r = 0; r < 60; ++r) {
    codes.push_back(static_cast<std::uint8_t>(r * 7 % 3));
    users.push_back(words[codes.back()]);
    items.push_back(r / 3);
    labels.push_back(r % 2);
  }
  const Data coded = Data::from_rows({.user = Ids(Ids(codes), dictionary), .item = items, .label = labels});
  EXPECT_EQ(coded.fingerprint(), Data::from_rows({.user = users, .item = items, .label = labels}).fingerprint());
  EXPECT_EQ(coded.users().size(), 3u);
}

TEST(Columns, OfLargeNumbersAreNumberedByAHash) {
  std::vector<std::uint64_t> users;
  std::vector<std::int64_t> items;
  std::vector<std::string> user_texts, item_texts;
  for (std::uint64_t r = 0; r < 20000; ++r) {
    users.push_back(~std::uint64_t{0} - r % 5003 * 977);
    items.push_back(-static_cast<std::int64_t>(r * 31 % 4001) << 40);
    user_texts.push_back(std::to_string(users.back()));
    item_texts.push_back(std::to_string(items.back()));
  }
  EXPECT_EQ(Data::from_rows({.user = users, .item = items}).fingerprint(),
            Data::from_rows({.user = user_texts, .item = item_texts}).fingerprint());
}

TEST(Columns, AreNamedInMessages) {
  std::vector<Row> rows = some_rows();
  rows[4].label = 3;
  LogArrays log = by_rows(rows);
  log.names["label"] = "stars";
  try {
    Data::from_rows(log);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(std::string(failure.what()).find("the log, row 5: column \"stars\": label 3"), 0u) << failure.what();
  }
}

TEST(Columns, OfFloatsAreTheNumbersTheySpell) {
  const std::vector<float> values = {3.6f, 7.0f, -2.0f, 16777216.0f, 1e30f, 0.1f};
  const equipoise::Numbers numbers(values);
  const double spelled[] = {3.6, 7, -2, 16777216, 1e30, 0.1};
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(numbers.at(k), spelled[k]);
}

TEST(Valid, MayBeRowsOfAnotherDataSet) {
  const std::vector<Row> rows = some_rows(), others = some_rows(50);
  const equipoise::Parameters whole = {{"log_test_share", "0"}, {"log_valid_share", "0"}};
  const Data log = Data::from_rows(by_rows(rows), whole);
  const std::vector<Row> held(others.end() - 100, others.end());
  const Data judged = log.with_valid(Data::from_rows(by_rows(held)));
  EXPECT_EQ(judged.valid_rows(), 100u);
  EXPECT_EQ(judged.train_rows(), rows.size());
  EXPECT_GT(judged.users().size(), log.users().size());
  EXPECT_EQ(log.valid_rows(), 0u);
  const Data leaking = log.with_valid(Data::from_rows(by_rows({rows.begin(), rows.begin() + 20})));
  EXPECT_EQ(leaking.train_rows(), rows.size() - 20);
  TrainOptions options{.method = "base", .base = "gmf", .parameters = {{"epochs", "2"}, {"embedding", "4"}}};
  const auto text = Model::train(judged, options).card();
  EXPECT_NE(text.find("valid as given"), std::string::npos);
}

TEST(Training, EndsWhereItsListenerSays) {
  const std::vector<Row> rows = some_rows();
  TrainOptions options{.method = "base", .base = "gmf", .parameters = {{"epochs", "20"}, {"patience", "0"}}};
  int epochs = 0;
  options.stop_after = [&](const equipoise::EpochReport&) { return ++epochs == 3; };
  Model::train(Data::from_rows(by_rows(rows)), options);
  EXPECT_EQ(epochs, 3);
  options.parameters["epochs"] = "3";
  options.stop_after = {};
  EXPECT_NO_THROW(equipoise::check_training(options));
  options.parameters["layers"] = "3";
  EXPECT_THROW(equipoise::check_training(options), Failure);
}

TEST(Training, AsksWhetherToStop) {
  const std::vector<Row> rows = some_rows();
  TrainOptions options{.method = "base", .base = "gmf", .parameters = {{"epochs", "20"}}};
  int asked = 0;
  options.callbacks.wants_stop = [&] { return ++asked == 5; };
  try {
    Model::train(Data::from_rows(by_rows(rows)), options);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), Failure::Kind::interrupted);
  }
  EXPECT_EQ(asked, 5);
}

TEST(Auc, IsTheShareOfPairsInTheRightOrder) {
  const std::vector<float> scores = {0.1f, 0.4f, 0.35f, 0.8f, 0.4f}, labels = {0, 0, 1, 1, 1};
  EXPECT_DOUBLE_EQ(equipoise::auc(scores, labels), (1 + 0 + 1 + 1 + 1 + 0.5) / 6);
  EXPECT_TRUE(std::isnan(equipoise::auc(scores, std::vector<float>(5, 1.0f))));
}

TEST(Evaluation, HasTheValuesOfUsers) {
  const std::vector<Row> rows = some_rows();
  const Data data = Data::from_rows(by_rows(rows));
  const Model model = Model::train(data, {.method = "mean"});
  const equipoise::EvaluationReport found = model.evaluation(data, {{"replicates", "10"}});
  ASSERT_EQ(found.users.size(), found.lists.size());
  double sum = 0, count = 0;
  for (const double value : found.per_user.at("ndcg")) {
    if (!std::isnan(value)) sum += value, ++count;
  }
  EXPECT_NEAR(sum / count, model.evaluate(data, {{"replicates", "10"}}).at("ndcg").mean, 1e-12);
}

}  // namespace
