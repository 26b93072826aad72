// The public face of lists: names and columns beside items, similar items, factors.
#include <equipoise/equipoise.h>
#include <gtest/gtest.h>

#include <limits>

#include "data/temp_folder.h"
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

Model some_model(const Case& c) {
  Dataset data = known_log(30, 12);
  for (std::int32_t i = 0; i < data.items.size(); ++i) data.item_names.push_back("Film " + std::to_string(i));
  return Model::from_bytes(some_recommender(c, data)->bytes());
}

TEST(ApiLists, SayWhatPeopleCallTheItems) {
  const Model model = some_model({"base", "gmf"});
  EXPECT_EQ(model.item_name("i3"), "Film 3");
  EXPECT_EQ(model.item_name("nothing"), "");
  EXPECT_TRUE(model.scores_are_chances());
  const auto list = model.recommend("u1", {.k = 50, .include_seen = true, .columns = {"genre", "price"}});
  ASSERT_EQ(list.size(), 12U);
  int fresh = 0;
  for (const Recommendation& one : list) {
    EXPECT_EQ(one.name, "Film " + one.item.substr(1));
    EXPECT_EQ(one.known, model.knows_item(one.item));
    EXPECT_EQ(one.columns.size(), 2U);
    fresh += one.known == "features_only" ? 1 : 0;
  }
  EXPECT_EQ(fresh, 1) << "the last item has no training rows";
  EXPECT_THROW(model.recommend("u1", {.columns = {"colour"}}), Failure);
  const auto told = model.recommend("u1", Parameters{{"k", "3"}, {"columns", "genre"}});
  EXPECT_EQ(told.at(0).columns.count("genre"), 1U);
}

TEST(ApiLists, HaveSimilarItems) {
  const Model model = some_model({"base", "mlp"});
  const auto near = model.similar("i1", {.k = 4, .exclude = {"i2"}});
  ASSERT_EQ(near.size(), 4U);
  EXPECT_GE(near[0].score, near[3].score);
  for (const Recommendation& one : near) EXPECT_TRUE(one.item != "i1" && one.item != "i2" && !one.name.empty());
  EXPECT_EQ(model.similar("i1", Parameters{{"k", "2"}, {"exclude", "i2"}}).at(1).item, near[1].item);
  EXPECT_THROW(model.similar("nothing"), Failure);
  EXPECT_THROW(some_model({"popularity", ""}).similar("i1"), Failure);
}

TEST(ApiLists, TakeSomebodyNewAndNewRows) {
  const Data data = Data::simulate({{"users", "80"}, {"items", "20"}, {"width", "3"}});
  TrainOptions options{.method = "base", .base = "gmf"};
  options.parameters = {{"epochs", "2"}, {"history", "both"}, {"embedding", "4"}};
  const Model model = Model::train(data, options);
  const auto ids = [](const std::vector<Recommendation>& list) {
    std::vector<std::string> out;
    for (const Recommendation& one : list) out.push_back(one.item);
    return out;
  };
  const auto fresh = model.recommend("", {.k = 20, .history = {{"i3", 1.0}, {"i4", {}}}});
  EXPECT_EQ(fresh.size(), 18U) << "what they have is left out";
  const std::vector<std::string> users = {"new", "new"}, items = {"i3", "i4"}, one = {"new"}, pair = {fresh[0].item};
  const std::vector<float> labels = {1.0f, std::numeric_limits<float>::quiet_NaN()};
  const LogArrays rows{.user = users, .item = items, .label = labels};
  const auto same = model.recommend("new", {.k = 20, .more_rows = rows});
  EXPECT_EQ(ids(same), ids(fresh));
  const std::vector<std::int64_t> in_order = {4, 7}, back = {7, 4};
  LogArrays timed = rows;
  timed.timestamp = in_order;
  EXPECT_EQ(ids(model.recommend("new", {.k = 20, .more_rows = timed})), ids(fresh));
  timed.timestamp = back;
  EXPECT_THROW(model.recommend("new", {.k = 20, .more_rows = timed}), Failure) << "newest last";
  EXPECT_FLOAT_EQ(model.score(one, pair, {}, rows)[0], static_cast<float>(fresh[0].score));
  EXPECT_NE(model.score(one, pair)[0], model.score(one, pair, {}, rows)[0]);
  std::vector<std::int32_t> numbers(3);
  std::vector<float> scores(3);
  model.recommend(one, {.k = 3, .more_rows = rows}, {numbers, scores});
  EXPECT_EQ(model.items()[static_cast<std::size_t>(numbers[0])], fresh[0].item);
  EXPECT_THROW(model.recommend(users, {.k = 3, .history = {{"i3", 1.0}}}, {numbers, scores}), Failure);
  EXPECT_THROW(model.recommend("", {.history = {{"i3", 5.0}}}), Failure);
  EXPECT_THROW(model.recommend("", {.k = 5, .features = {{"no such", "1"}}}), Failure);
  EXPECT_NE(ids(model.recommend("", {.k = 5, .features = {{"p1", "3"}, {"p2", "-2"}}})).size(), 0U);
}

TEST(ApiLists, GiveFactorsWhoseProductIsTheScore) {
  const Model model = some_model({"base", "gmf"});
  const Factors users = model.user_factors(), items = model.item_factors();
  ASSERT_EQ(users.rows, 30U);
  ASSERT_EQ(items.rows, 12U);
  ASSERT_EQ(users.width, items.width);
  EXPECT_EQ(users.values.size(), users.rows * users.width);
  EXPECT_TRUE(users.product_is_score);
  double product = 0;
  for (std::size_t k = 0; k < users.width; ++k) {
    product += static_cast<double>(users.values[7 * users.width + k]) * items.values[5 * items.width + k];
  }
  EXPECT_NEAR(product, model.score("u7", "i5"), 1e-5);
  EXPECT_FALSE(some_model({"cbr", "gmf"}).user_factors().product_is_score);
  EXPECT_THROW(some_model({"mean", ""}).item_factors(), Failure);
  const TempFolder folder;
  model.save_factors(folder / "factors");
  EXPECT_TRUE(file_exists(folder / "factors/users.npy"));
}

}  // namespace
}  // namespace equipoise::test
