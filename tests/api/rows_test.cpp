// Data from the caller's arrays: the same models as from a file of the same rows, and errors that name the row.
#include <equipoise/equipoise.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "data/temp_folder.h"

namespace {

using equipoise::Data;
using equipoise::Failure;
using equipoise::Ids;
using equipoise::LogArrays;
using equipoise::Model;
using equipoise::Parameters;
using equipoise::TrainOptions;

struct Table {
  std::vector<std::int64_t> user;
  std::vector<std::string> item;
  std::vector<double> stars;
  std::vector<float> weight;
  std::vector<std::int32_t> time;

  LogArrays arrays() const { return {.user = user, .item = item, .label = stars, .weight = weight, .timestamp = time}; }
};

Table some_rows(int first, int users) {
  Table out;
  for (int u = first; u < first + users; ++u) {
    for (int i = 0; i < 12; ++i) {
      if ((u * 5 + i * 3) % 4 == 0) continue;
      out.user.push_back(u * 17);
      out.item.push_back("the " + std::to_string(i) + "th, \"so called\"");
      out.stars.push_back(1 + (u * 7 + i * 3) % 5);
      out.weight.push_back(0.25f * static_cast<float>(1 + (u + i) % 3));
      out.time.push_back(1000 + u * 12 + i);
    }
  }
  return out;
}

std::string csv(const Table& t) {
  std::string out = "who,what,stars,w,when\n";
  for (std::size_t r = 0; r < t.user.size(); ++r) {
    std::string item = t.item[r];
    for (std::size_t at = item.find('"'); at != std::string::npos; at = item.find('"', at + 2)) item.insert(at, "\"");
    out += std::to_string(t.user[r]) + ",\"" + item + "\"," + std::to_string(static_cast<int>(t.stars[r])) + "," +
           std::to_string(t.weight[r]) + "," + std::to_string(t.time[r]) + "\n";
  }
  return out;
}

const Parameters kRule = {{"positive_at_least", "4"}, {"label_column", "stars"}, {"name", "mine"}, {"seed", "3"}};

Parameters of_file(Parameters more = {}) {
  Parameters out = {
      {"user_column", "who"}, {"item_column", "what"}, {"weight_column", "w"}, {"timestamp_column", "when"}};
  out.insert(kRule.begin(), kRule.end());
  out.insert(more.begin(), more.end());
  return out;
}

TEST(Rows, OfMemoryMakeTheModelsOfAFile) {
  const equipoise::test::TempFolder folder;
  const Table rows = some_rows(0, 60), test = some_rows(30, 30);  // some methods learn from an unbiased part
  const Data file =
                 Data::open(folder.file("log.csv", csv(rows)), of_file({{"test", folder.file("test.csv", csv(test))}})),
             memory = Data::from_rows(rows.arrays(), kRule, {.test = test.arrays()});
  EXPECT_EQ(memory.fingerprint(), file.fingerprint());
  EXPECT_EQ(memory.summary(), file.summary());
  for (const std::string& method : equipoise::method_names()) {
    for (const std::string& base : equipoise::base_names()) {
      TrainOptions options{.method = method, .base = base};
      if (method == "popularity" || method.starts_with("mean")) options.base = "";
      options.parameters = {{"epochs", "3"}, {"embedding", "4"}};
      if (options.base.empty()) options.parameters.erase("embedding");
      if (method == "att") options.parameters["labeller_epochs"] = "1";
      EXPECT_TRUE(Model::train(memory, options).bytes() == Model::train(file, options).bytes()) << method << base;
    }
  }
}

TEST(Rows, WithPartsAndFeaturesAreThoseOfFiles) {
  const equipoise::test::TempFolder folder;
  const Table rows = some_rows(0, 40), test = some_rows(30, 20), valid = some_rows(50, 10);
  std::string users = "who,colour,likes,age\n", items = "what,price\n";
  std::vector<std::int64_t> user;
  std::vector<std::string> colour, likes, item;
  std::vector<double> age, price;
  for (int u = 0; u < 45; ++u) {
    user.push_back(u * 17);
    colour.push_back(u % 5 == 0 ? "" : u % 2 == 0 ? "red" : "blue");
    likes.push_back(u % 3 == 0 ? "a|b" : "b");
    age.push_back(u % 7 == 0 ? std::nan("") : 20 + u);
    users += std::to_string(user.back()) + "," + colour.back() + "," + likes.back() + "," +
             (u % 7 == 0 ? "" : std::to_string(20 + u)) + "\n";
  }
  for (int i = 0; i < 13; ++i) {
    item.push_back("the " + std::to_string(i) + "th, \"so called\"");
    price.push_back(0.5 * i);
    items += "\"the " + std::to_string(i) + "th, \"\"so called\"\"\"," + std::to_string(0.5 * i) + "\n";
  }
  const Data file =
      Data::open(folder.file("log.csv", csv(rows)), of_file({{"test", folder.file("test.csv", csv(test))},
                                                             {"valid", folder.file("valid.csv", csv(valid))},
                                                             {"users", folder.file("users.csv", users)},
                                                             {"items", folder.file("items.csv", items)},
                                                             {"tags", "likes"}}));
  equipoise::MoreData more{test.arrays(), valid.arrays(), {}, {}};
  more.users.id = user;
  more.users.categorical = {{"colour", colour, false}, {"likes", likes, true}};
  more.users.continuous = {{"age", age}};
  more.items.id = item;
  more.items.continuous = {{"price", price}};
  const Data memory = Data::from_rows(rows.arrays(), kRule, more);
  EXPECT_EQ(memory.fingerprint(), file.fingerprint());
  EXPECT_EQ(memory.summary(), file.summary());
}

std::string refusal(const LogArrays& log, const Parameters& parameters, Failure::Kind kind) {
  try {
    Data::from_rows(log, parameters);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), kind) << failure.what();
    return failure.what();
  }
  return "accepted";
}

TEST(Rows, WithoutLabelsArePositives) {
  Table t = some_rows(0, 30);
  const LogArrays log{.user = t.user, .item = t.item, .timestamp = t.time};
  std::vector<std::string> ids, names;
  for (int i = 0; i < 12; ++i) {
    ids.push_back("the " + std::to_string(i) + "th, \"so called\"");
    names.push_back("Item " + std::to_string(i));
  }
  const equipoise::test::TempFolder folder;
  const Data data = Data::from_rows(log, {{"split", "time"}}, {.items = {.id = ids, .names = names}});
  EXPECT_NE(data.summary().find("\"positives_only\":true"), std::string::npos) << data.summary();
  data.save(folder / "set");
  std::ifstream items(folder / "set/items.csv");
  std::string head, first;
  std::getline(items, head), std::getline(items, first);
  EXPECT_EQ(head, "item,name");
  EXPECT_NE(first.find(",Item "), std::string::npos);
  const std::string user = data.users().front();
  const std::string said = equipoise::forget_user(folder / "set", user);
  EXPECT_NE(said.find("\"train\""), std::string::npos);
  const std::vector<std::string>& left = Data::open(folder / "set").users();
  EXPECT_EQ(left.size() + 1, data.users().size());
  EXPECT_EQ(std::count(left.begin(), left.end(), user), 0);
  EXPECT_THROW(Data::from_rows(log, {}, {.users = {.id = t.user, .names = names}}), Failure) << "only items have names";
}

TEST(Rows, ThatAreWrongAreNamed) {
  const std::vector<std::string> user = {"a", "b", "a"}, item = {"x", "x", "y"};
  const std::vector<double> good = {1, 0, 1}, stars = {1, 3, 5}, missing = {1, std::nan(""), 0};
  const std::vector<float> bad_weight = {1, -1, 1};
  const auto bad = Failure::Kind::bad_data, usage = Failure::Kind::usage;
  EXPECT_EQ(refusal({.user = user, .item = item, .label = missing}, {}, bad),
            "the log, row 2: the label is not a number");
  EXPECT_EQ(refusal({.user = user, .item = item, .label = stars}, {}, bad).find("the log, row 2: label 3 is neither 0"),
            0U);
  EXPECT_EQ(refusal({.user = user, .item = item, .label = good, .weight = bad_weight}, {}, bad),
            "the log, row 2: weight -1 is no number from 0");
  const std::vector<double> two = {1, 0};
  EXPECT_EQ(refusal({.user = user, .item = item, .label = two}, {}, bad),
            "the log: column label has 2 values for 3 rows");
  EXPECT_EQ(refusal({}, {}, bad), "the log has no rows");
  const std::vector<std::string> twice = {"a", "b", "a"}, same = {"x", "x", "x"}, empty = {"a", "", "c"};
  EXPECT_NE(refusal({.user = twice, .item = same, .label = good}, {}, bad).find("once"), std::string::npos);
  EXPECT_EQ(refusal({.user = empty, .item = item, .label = good}, {}, bad), "the log, row 2: empty user id");
  EXPECT_NE(refusal({.user = user, .item = item, .label = good}, {{"user_column", "who"}}, usage).find("user_column"),
            std::string::npos);
}

}  // namespace
