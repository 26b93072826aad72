// Data set folders: round trips with every column and kind of feature, numbering of ids, and every refusal.
#include "data/dataset.h"

#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "data/equal_rows.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;
using test::TempFolder;
namespace fs = std::filesystem;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// Ids with every awkward letter, every column, every kind of feature, missing cells, a user without rows.
Dataset awkward() {
  Dataset data;
  data.name = "awk \"ward\"";
  data.protocol = "sampled:99";
  data.provenance = Json::object({{"label_rule", "label = 1 if rating >= 3"}, {"leaks_removed", 4}, {"seed", 7}});
  data.users = IdMap({"idle", "a,b", "say \"hi\"", "two\nlines", " ž "});
  data.items = IdMap({"x", "y", "z"});
  data.user_features.rows = 5;
  data.user_features.categorical = {{"city, town", false, {"Brno", "a|b"}, {0, 1, 1, 2, 3, 3}, {0, 1, 0}},
                                    {"likes", true, {"tea", "rum, dark"}, {0, 2, 2, 3, 3, 5}, {0, 1, 1, 1, 0}}};
  data.user_features.continuous = {{"age", {0.1f, kMissing, -3e-7f, 1.0f / 3, 16777216.0f}}};
  data.item_features.rows = 3;
  data.item_features.continuous = {{"price", {1e30f, -0.0f, kMissing}}};
  data.train = {{3, 1, 2, 3},        {0, 1, 1, 2},         {1, 0, 1, 0}, {0.1f, 1e-7f, 1, 1.0f / 7},
                {0, 0.3f, 1e10f, 2}, {5, -1, 0, 1LL << 60}};
  data.valid = {{4, 1}, {0, 1}, {1, 1}, {}, {1.5f, 2.5f}, {}};
  data.test = {{4, 2, 3}, {1, 1, 2}, {0, 1, 0}, {}, {}, {}};
  return data;
}

using test::expect_equal_rows;

void expect_equal_features(const Features& a, const Features& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.categorical, b.categorical);
  ASSERT_EQ(a.continuous.size(), b.continuous.size());
  for (std::size_t k = 0; k < a.continuous.size(); ++k) {
    EXPECT_EQ(a.continuous[k].name, b.continuous[k].name);
    ASSERT_EQ(a.continuous[k].values.size(), b.continuous[k].values.size());
    for (std::size_t r = 0; r < a.continuous[k].values.size(); ++r) {
      const float x = a.continuous[k].values[r], y = b.continuous[k].values[r];
      EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << x << " " << y;
    }
  }
}

void expect_equal(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.protocol, b.protocol);
  EXPECT_EQ(a.provenance, b.provenance);
  EXPECT_EQ(a.users.names(), b.users.names());
  EXPECT_EQ(a.items.names(), b.items.names());
  expect_equal_features(a.user_features, b.user_features);
  expect_equal_features(a.item_features, b.item_features);
  expect_equal_rows(a.train, b.train);
  expect_equal_rows(a.valid, b.valid);
  expect_equal_rows(a.test, b.test);
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
}

class DatasetTest : public testing::Test {
 protected:
  /// A good small folder, of which a test then spoils something.
  DatasetTest() {
    fs::create_directory(set);
    put("dataset.toml",
        "name = \"small\"\n[features.user]\nage = \"continuous\"\ncity = \"categorical\"\nlikes = \"tags\"\n");
    put("users.csv", "user,age,city,likes\nu2,3.5,Brno,tea|rum\nu9,,,\n");
    put("train.csv", "user,item,label\nu1,i1,1\nu2,i2,0\n");
    put("test.csv", "label,item,user\n1,i3,u2\n");
  }
  void put(const std::string& name, const std::string& bytes) { folder.file("set/" + name, bytes); }
  std::string error() {
    std::string text = error_of<DataError>([&] { read_dataset(set); });
    if (text.starts_with(set + "/")) text.erase(0, set.size() + 1);
    return text;
  }
  std::string error_with(const std::string& name, const std::string& bytes) {
    const std::string before = file_exists(join_path(set, name)) ? read_file(join_path(set, name)) : "";
    put(name, bytes);
    const std::string text = error();
    before.empty() ? static_cast<void>(fs::remove(join_path(set, name))) : put(name, before);
    return text;
  }

  TempFolder folder;
  const std::string set = folder / "set";
};

TEST_F(DatasetTest, NumbersIdsByTableThenByFirstRow) {
  const Dataset data = read_dataset(set);
  EXPECT_EQ(data.name, "small");
  EXPECT_EQ(data.protocol, "test-items");
  EXPECT_EQ(data.users.names(), (std::vector<std::string>{"u2", "u9", "u1"}));
  EXPECT_EQ(data.items.names(), (std::vector<std::string>{"i1", "i2", "i3"}));
  EXPECT_EQ(data.train.user, (std::vector<std::int32_t>{2, 0}));
  EXPECT_EQ(data.train.label, (std::vector<float>{1, 0}));
  EXPECT_EQ(data.test.user, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(data.test.item, (std::vector<std::int32_t>{2}));
  EXPECT_TRUE(data.valid.empty());
  EXPECT_TRUE(data.item_features.empty());
  EXPECT_EQ(data.item_features.rows, 0);
  ASSERT_EQ(data.user_features.rows, 3);
  ASSERT_EQ(data.user_features.continuous.size(), 1u);
  EXPECT_EQ(data.user_features.continuous[0].values[0], 3.5f);
  EXPECT_TRUE(std::isnan(data.user_features.continuous[0].values[1]));
  EXPECT_TRUE(std::isnan(data.user_features.continuous[0].values[2]));
  EXPECT_EQ(data.user_features.categorical[0], (CategoricalField{"city", false, {"Brno"}, {0, 1, 1, 1}, {0}}));
  EXPECT_EQ(data.user_features.categorical[1], (CategoricalField{"likes", true, {"tea", "rum"}, {0, 2, 2, 2}, {0, 1}}));
}

TEST_F(DatasetTest, RoundTrip) {
  const Dataset data = awkward();
  write_dataset(data, folder / "a/b");
  expect_equal(read_dataset(folder / "a/b"), data);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "a/b"), {}), 6) << "six files and no temporary ones";
}

TEST_F(DatasetTest, RoundTripKeepsTheOrderOfIdsWithoutFeatures) {
  Dataset data = awkward();
  data.user_features = data.item_features = {};
  write_dataset(data, folder / "out");  // users are not in the order of their rows, items are
  EXPECT_TRUE(file_exists(folder / "out/users.csv"));
  EXPECT_FALSE(file_exists(folder / "out/items.csv"));
  expect_equal(read_dataset(folder / "out"), data);
}

TEST_F(DatasetTest, WritingReplacesADataSetWhole) {
  write_dataset(awkward(), set);
  Dataset less = awkward();
  less.users = IdMap({"u", "v"});
  less.user_features = less.item_features = {};
  less.train = {{0, 1, 0}, {0, 1, 2}, {1, 0, 1}, {}, {}, {}};
  less.valid = less.test = {};
  put("notes.txt", "mine");
  write_dataset(less, set);
  expect_equal(read_dataset(set), less);
  EXPECT_EQ(std::distance(fs::directory_iterator(set), {}), 3) << "dataset.toml, train.csv and what was not ours";
}

TEST_F(DatasetTest, WritesOnlyWhereItMay) {
  const std::string other = folder / "other";
  fs::create_directory(other);
  write_dataset(awkward(), other);  // empty: may be used
  fs::remove(join_path(other, "dataset.toml"));
  EXPECT_EQ(error_of<UsageError>([&] { write_dataset(awkward(), other); }),
            other + ": holds something other than a data set (no dataset.toml); nothing was written");
  EXPECT_FALSE(file_exists(join_path(other, "dataset.toml")));
  const std::string file = folder.file("file", "x");
  EXPECT_EQ(error_of<UsageError>([&] { write_dataset(awkward(), file); }),
            file + ": is a file, expected a folder for the data set");
  EXPECT_EQ(read_file(file), "x");
}

TEST_F(DatasetTest, AFailureLeavesTheOldFiles) {
  const std::string train = read_file(join_path(set, "train.csv"));
  const ExtraFile last{"extra.csv", [](const std::string& path) { throw OutputError(path + ": the disk is full"); }};
  EXPECT_EQ(error_of<OutputError>([&] { write_dataset(awkward(), set, {last}); }),
            join_path(set, "extra.csv") + ": the disk is full");
  EXPECT_EQ(read_file(join_path(set, "train.csv")), train);
  EXPECT_EQ(std::distance(fs::directory_iterator(set), {}), 4) << "no temporary files";
  error_of<OutputError>([&] { write_dataset(awkward(), folder / "fresh", {last}); });
  EXPECT_FALSE(file_exists(folder / "fresh"));
}

TEST_F(DatasetTest, ExtraFilesComeWithTheDataSet) {
  const ExtraFile truth{"truth.csv", [](const std::string& path) { write_file(path, "known"); }};
  write_dataset(awkward(), set, {truth});
  EXPECT_EQ(read_file(join_path(set, "truth.csv")), "known");
  expect_equal(read_dataset(set), awkward());
}

TEST_F(DatasetTest, WhatCameWithTheOldDataSetGoesWithIt) {
  const ExtraFile truth{"truth.csv", [](const std::string& path) { write_file(path, "known"); }};
  write_dataset(awkward(), set, {truth});
  put("notes.txt", "mine");
  write_dataset(awkward(), set);
  EXPECT_FALSE(file_exists(join_path(set, "truth.csv"))) << "it tells of another log";
  EXPECT_TRUE(file_exists(join_path(set, "notes.txt")));
}

TEST_F(DatasetTest, HasOneNameHoweverItsPathIsWritten) {
  put("dataset.toml", "");
  put("users.csv", "user\nu2\n");
  const fs::path before = fs::current_path();
  for (const std::string& path : {set, set + "/", set + "//", set + "/.", set + "/../set"}) {
    EXPECT_EQ(read_dataset(path).name, "set") << path;
  }
  fs::current_path(set);
  EXPECT_EQ(read_dataset(".").name, "set");
  EXPECT_EQ(read_dataset("./").name, "set");
  EXPECT_EQ(read_dataset("../set/").name, "set");
  fs::current_path(before);
  EXPECT_EQ(name_of_data("/"), "data");
  EXPECT_EQ(name_of_data("logs/clicks.csv.gz"), "clicks");
  EXPECT_EQ(name_of_data("clicks"), "clicks");
  for (const char* path : {"-", "logs/.csv"}) EXPECT_EQ(name_of_data(path), "csv") << path;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(name_of_data(folder / "pipe"), "csv");
}

TEST_F(DatasetTest, RefusesToWriteWhatCouldNotBeReadBack) {
  const auto refusal = [&](auto spoil) {
    Dataset data = awkward();
    spoil(data);
    const std::string text = error_of<DataError>([&] { write_dataset(data, folder / "out"); });
    EXPECT_FALSE(file_exists(folder / "out"));
    return text;
  };
  EXPECT_EQ(refusal([](Dataset& d) { d.train = {}; }), "train has no rows; a data set needs some");
  EXPECT_EQ(refusal([](Dataset& d) { d.items = IdMap({"x", "", "z"}); }), "empty id");
  EXPECT_EQ(refusal([](Dataset& d) { d.user_features.categorical[1].values[0] = "a|b"; }),
            "tag \"a|b\" of feature \"likes\" has a '|' in it");
  EXPECT_EQ(refusal([](Dataset& d) { d.user_features.continuous[0].name = "likes"; }),
            "user feature name \"likes\" occurs twice");
  EXPECT_EQ(refusal([](Dataset& d) { d.item_features.continuous[0].name = "item"; }),
            "item feature name \"item\" occurs twice");
}

TEST_F(DatasetTest, FingerprintSeesEveryPart) {
  std::vector<std::string> prints{awkward().fingerprint()};
  EXPECT_EQ(prints[0].size(), 16u);
  const auto changed = [&](auto change) {
    Dataset data = awkward();
    change(data);
    prints.push_back(data.fingerprint());
  };
  changed([](Dataset& d) { d.users.add("new"); });
  changed([](Dataset& d) { d.items = IdMap({"x", "y", "w"}); });
  changed([](Dataset& d) { d.user_features.categorical[0].values[0] = "Praha"; });
  changed([](Dataset& d) { d.user_features.categorical[0].name = "place"; });
  changed([](Dataset& d) { d.user_features.continuous[0].values[0] = 0.2f; });
  changed([](Dataset& d) { std::swap(d.user_features, d.item_features); });
  changed([](Dataset& d) { d.train.label[0] = 0; });
  changed([](Dataset& d) { d.train.propensity[3] = 0.5f; });
  changed([](Dataset& d) { d.train.timestamp[0] = 6; });
  changed([](Dataset& d) { std::swap(d.train.propensity, d.train.weight); });
  changed([](Dataset& d) { std::swap(d.valid, d.test); });
  std::sort(prints.begin(), prints.end());
  EXPECT_EQ(std::adjacent_find(prints.begin(), prints.end()), prints.end());
  Dataset same = awkward();
  same.name = "other";
  auto& city = same.user_features.categorical[0];
  std::swap(city.values[0], city.values[1]);
  for (std::int32_t& code : city.codes) code = 1 - code;
  EXPECT_EQ(same.fingerprint(), awkward().fingerprint()) << "names and the order of a vocabulary are no data";
}

TEST_F(DatasetTest, RefusesWhatIsNoDataSet) {
  EXPECT_EQ(error_of<DataError>([&] { read_dataset(folder / "none"); }), (folder / "none") + ": no such folder");
  const std::string file = folder.file("file", "x");
  EXPECT_EQ(error_of<DataError>([&] { read_dataset(file); }), file + ": is a file, expected a data set folder");
  EXPECT_EQ(error_of<DataError>([&] { read_dataset(folder.path()); }),
            "not a data set folder: " + folder.path() + " has no dataset.toml (import and simulate make data sets)");
  fs::remove(join_path(set, "train.csv"));
  EXPECT_EQ(error(), "train.csv: no such file");
}

TEST_F(DatasetTest, RefusesBadParts) {
  const std::string head = "user,item,label\n";
  EXPECT_EQ(error_with("train.csv", head), "train.csv: has a header and no rows");
  EXPECT_EQ(error_with("valid.csv", head), "valid.csv: has a header and no rows");
  EXPECT_EQ(error_with("train.csv", "user,item\nu,i\n"), "train.csv:1: no column \"label\"; columns: user, item");
  EXPECT_EQ(error_with("train.csv", "user,item,rating,label\nu,i,1,1\n"),
            "train.csv:1:11: unknown column \"rating\"; known: user, item, label, propensity, weight, timestamp, "
            "request, position, propensity_at_position, propensity_given_above, eligible");
  EXPECT_EQ(error_with("train.csv", head + "u,i,1\nu,j,3\n"),
            "train.csv:3:5: label 3 is neither 0 nor 1; positive_at_least makes labels of ratings");
  EXPECT_EQ(error_with("train.csv", head + "u,i,nan\n"), "train.csv:2:5: \"nan\" is not a finite number");
  EXPECT_EQ(error_with("train.csv", head + "u,i,yes\n"), "train.csv:2:5: \"yes\" is not a number");
  EXPECT_EQ(error_with("train.csv", head + ",i,1\n"), "train.csv:2:1: empty user id");
  EXPECT_EQ(error_with("train.csv", head + "u,\"\",1\n"), "train.csv:2:3: empty item id");
  EXPECT_EQ(
      error_with("test.csv", head + "u,i,1\nv,i,0\nu,i,1\n"),
      "test.csv:4: user \"u\" and item \"i\" occur on line 2 already; a pair may occur once (duplicates = first or "
      "last keeps one row)");
}

TEST_F(DatasetTest, RefusesNumbersOutOfRange) {
  const auto with = [&](const std::string& column, const std::string& value) {
    return error_with("train.csv", "user,item,label," + column + "\nu,i,1," + value + "\n");
  };
  EXPECT_EQ(with("propensity", "0"), "train.csv:2:7: propensity 0 is not above 0 and up to 1");
  EXPECT_EQ(with("propensity", "1.01"), "train.csv:2:7: propensity 1.01 is not above 0 and up to 1");
  EXPECT_EQ(with("propensity", "1e-60"), "train.csv:2:7: propensity 1e-60 is not above 0 and up to 1");
  EXPECT_EQ(with("propensity", "nan"), "train.csv:2:7: \"nan\" is not a finite number");
  EXPECT_EQ(with("weight", "-1"), "train.csv:2:7: weight -1 is below 0");
  EXPECT_EQ(with("weight", "inf"), "train.csv:2:7: \"inf\" is not a finite number");
  EXPECT_EQ(with("weight", "1e300"), "train.csv:2:7: \"1e300\" is too large");
  EXPECT_EQ(with("timestamp", "1.5"), "train.csv:2:7: \"1.5\" is not a whole number");
}

TEST_F(DatasetTest, RefusesBadTables) {
  EXPECT_EQ(error_with("users.csv", "user,age,city,likes,shoe\nu,1,a,b,2\n"),
            "users.csv:1:21: column \"shoe\" is not declared in [features.user] of dataset.toml");
  EXPECT_EQ(error_with("users.csv", "user,age,city\nu,1,a\n"),
            "users.csv:1: no column \"likes\", though dataset.toml declares it in [features.user]");
  EXPECT_EQ(error_with("users.csv", "id,age,city,likes\n"),
            "users.csv:1: no column \"user\"; columns: id, age, city, likes");
  EXPECT_EQ(error_with("users.csv", "user,age,city,likes\n"), "users.csv: has a header and no rows");
  EXPECT_TRUE(error_with("users.csv", "user,age,city,likes\nu,x,a,b\n").starts_with("users.csv:2:3: "));
  EXPECT_TRUE(error_with("users.csv", "user,age,city,likes\nu,inf,a,b\n").starts_with("users.csv:2:3: "));
  EXPECT_TRUE(error_with("users.csv", "user,age,city,likes\nu,1,a,b\nu,1,a,b\n").starts_with("users.csv:3:1: "));
  EXPECT_TRUE(error_with("users.csv", "user,age,city,likes\n,1,a,b\n").starts_with("users.csv:2:1: "));
  EXPECT_EQ(error_with("items.csv", "item,colour\ni1,red\n"),
            "items.csv:1:6: column \"colour\" is not declared in [features.item] of dataset.toml");
  fs::remove(join_path(set, "users.csv"));
  EXPECT_EQ(error(), "users.csv: no such file, though dataset.toml declares features in [features.user]");
}

TEST_F(DatasetTest, RefusesBadToml) {
  EXPECT_EQ(error_with("dataset.toml", "nmae = \"x\"\n"),
            "dataset.toml: unknown name \"nmae\" in the file; known: name, protocol, positives_only, features, "
            "provenance, files");
  EXPECT_EQ(error_with("dataset.toml", "name = 3\n"), "dataset.toml: name is not a text");
  EXPECT_EQ(error_with("dataset.toml", "features = 3\n"), "dataset.toml: [features] is not a table");
  EXPECT_EQ(error_with("dataset.toml", "[features.users]\n"),
            "dataset.toml: unknown name \"users\" in [features]; known: user, item");
  EXPECT_EQ(error_with("dataset.toml", "[features.user]\nage = \"real\"\n"),
            "dataset.toml: feature \"age\" in [features.user] is \"real\", expected \"categorical\", \"continuous\" or "
            "\"tags\"");
  EXPECT_EQ(error_with("dataset.toml", "provenance = 1\n"), "dataset.toml: provenance is not a table");
  EXPECT_TRUE(error_with("dataset.toml", "name = \n").starts_with("dataset.toml:1:")) << "a place";
}

TEST_F(DatasetTest, CountsLeaks) {
  Dataset data = awkward();
  EXPECT_EQ(count_leaks(data), 3);  // (1,1) in valid; (2,1) and (3,2) in test
  data.test = data.valid;
  EXPECT_EQ(count_leaks(data), 1) << "a row counts once";
  data.valid = data.test = {};
  EXPECT_EQ(count_leaks(data), 0);
}

TEST_F(DatasetTest, TrainableOrWhyNot) {
  const auto refusal = [](auto spoil) {
    Dataset data = awkward();
    spoil(data);
    return error_of<DataError>([&] { check_trainable(data); });
  };
  check_trainable(awkward());
  EXPECT_EQ(refusal([](Dataset& d) { d.train = {}; }), "train has no rows; training needs some");
  EXPECT_EQ(refusal([](Dataset& d) {
              d.train.user = {1, 1, 1, 1};
            }),
            "train has one user (\"a,b\"); training needs at least two users");
  EXPECT_EQ(refusal([](Dataset& d) {
              d.train.item = {2, 2, 2, 2};
            }),
            "train has one item (\"z\"); training needs at least two items");
  EXPECT_EQ(refusal([](Dataset& d) {
              d.train.label = {1, 1, 1, 1};
            }),
            "every label in train is 1; training needs both 0 and 1, or a data set that is positives_only");
  EXPECT_EQ(refusal([](Dataset& d) {
              d.train.weight = {0, 0, 0, 0};
            }),
            "every weight in train is 0; training needs some above 0");
  EXPECT_EQ(refusal([](Dataset& d) { d.train.label[2] = 0.5f; }), "train: label 0.5 in row 3, expected 0 or 1");
  EXPECT_EQ(refusal([](Dataset& d) { d.train.propensity[1] = kMissing; }),
            "train: propensity nan in row 2, expected above 0 and up to 1");
  EXPECT_EQ(refusal([](Dataset& d) { d.test.item[0] = 3; }),
            "test: item number 3 in row 1, expected the number of a known item");
  EXPECT_EQ(refusal([](Dataset& d) { d.train.weight.pop_back(); }), "train: column weight has 3 values for 4 rows");
}

}  // namespace
}  // namespace equipoise
