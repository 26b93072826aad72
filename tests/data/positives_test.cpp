// Logs of positives only, names of items, and the splits of a log: through importers, folders and the cache.
#include "data/positives.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/listener.h"
#include "data/dataset_cache.h"
#include "data/forget.h"
#include "data/import_helpers.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;
using test::import_from;
using test::number;
using test::Settings;
using test::TempFolder;
using test::word;

/// Keeps what is said.
class Ear : public Listener {
 public:
  void note(std::string_view text) override { (said += text) += '\n'; }
  void warn(std::string_view text) override { (said += text) += '\n'; }
  std::string said;
};

std::string clicks(int users, int items, const char* more_head = "", bool times = false) {
  std::string out = std::string("user,item") + (times ? ",t" : "") + more_head + "\n";
  int time = 1000;
  for (int u = 0; u < users; ++u) {
    for (int i = 0; i < items; ++i) {
      if ((u * 7 + i * 3) % 4 == 0) continue;
      out += "u" + std::to_string(u) + ",i" + std::to_string(i) + (times ? "," + std::to_string(time++) : "") + "\n";
    }
  }
  return out;
}

class Positives : public testing::Test {
 protected:
  Dataset import_csv(const std::string& bytes, const Settings& settings = {}) {
    ear.said.clear();
    const ListenerScope scope(ear);
    return import_from("csv", {folder.file("log.csv", bytes)}, settings);
  }
  TempFolder folder;
  Ear ear;
};

TEST_F(Positives, ALogWithoutLabelsIsMarked) {
  const Dataset data = import_csv(clicks(20, 10));
  EXPECT_TRUE(data.positives_only);
  EXPECT_EQ(data.protocol, "full");
  EXPECT_EQ(word(data, "label_rule"), "every row is a positive (no label column)");
  EXPECT_NE(ear.said.find("the log has no label column: every row counts as a positive; what a user has no row of is "
                          "unknown, not disliked"),
            std::string::npos);
  EXPECT_TRUE(all_positive(data.train) && all_positive(data.valid) && all_positive(data.test));
  check_trainable(data);
  write_dataset(data, folder / "set");
  const Dataset again = read_dataset(folder / "set");
  EXPECT_TRUE(again.positives_only);
  EXPECT_EQ(again.fingerprint(), data.fingerprint());
  Dataset unmarked = data;
  unmarked.positives_only = false;
  EXPECT_NE(unmarked.fingerprint(), data.fingerprint());
}

TEST_F(Positives, ALabelColumnOfOnesIsToo) {
  std::string bytes = clicks(20, 10, ",label");
  for (std::size_t at = bytes.find('\n') + 1; (at = bytes.find('\n', at)) != std::string::npos; at += 3)
    bytes.insert(at, ",1");
  const Dataset data = import_csv(bytes);
  EXPECT_TRUE(data.positives_only);
  EXPECT_NE(ear.said.find("every label of train is 1"), std::string::npos);
  EXPECT_EQ(data.train.item, import_csv(clicks(20, 10)).train.item);
  EXPECT_FALSE(import_csv(bytes, {{"positive_at_least", "2"}}).positives_only) << "then all are 0";
}

TEST_F(Positives, TestRowsWithBothLabelsAreRankedAsTheyAre) {
  const std::string test = folder.file("test.csv", "user,item,label\nu1,i1,1\nu1,i2,0\nu2,i1,0\nu2,i3,1\n");
  const std::string log = folder.file("l.csv", clicks(20, 10));
  const Dataset data = import_from(
      "csv", {log}, {{"test", test}, {"split_by", "rows"}, {"valid_share", "0.25"}, {"label_column", "auto"}});
  EXPECT_TRUE(data.positives_only);
  EXPECT_EQ(data.protocol, "test-items");
}

TEST_F(Positives, AFolderMadeByHandNeedsNoLabels) {
  write_dataset(import_csv(clicks(20, 10)), folder / "set");
  folder.file("set/train.csv", "user,item\na,x\nb,y\n");
  folder.file("set/dataset.toml", "positives_only = true\n");
  std::filesystem::remove(folder / "set/valid.csv");
  std::filesystem::remove(folder / "set/test.csv");
  std::filesystem::remove(folder / "set/items.csv");
  Dataset data = read_dataset(folder / "set");
  EXPECT_TRUE(data.positives_only);
  EXPECT_EQ(data.protocol, "full");
  folder.file("set/train.csv", "user,item,label\na,x,1\nb,y,0\n");
  EXPECT_NE(error_of<DataError>([&] { read_dataset(folder / "set"); }).find("label of 0"), std::string::npos);
  folder.file("set/train.csv", "user,item,label\na,x,1\nb,y,1\n");
  folder.file("set/dataset.toml", "name = \"old\"\nprotocol = \"test-items\"\n");
  EXPECT_TRUE(read_dataset(folder / "set").positives_only) << "a folder of an earlier version";
  folder.file("set/dataset.toml", "positives_only = 1\n");
  error_of<DataError>([&] { read_dataset(folder / "set"); });
}

TEST_F(Positives, OnlyZerosAreRefused) {
  Dataset data = import_csv(clicks(20, 10));
  data.positives_only = false;
  EXPECT_NE(error_of<DataError>([&] { check_trainable(data); }).find("every label"), std::string::npos);
  std::fill(data.train.label.begin(), data.train.label.end(), 0.0f);
  EXPECT_NE(error_of<DataError>([&] { check_trainable(data); }).find("every label in train is 0"), std::string::npos);
  data.positives_only = true;
  EXPECT_NE(error_of<DataError>([&] { check_trainable(data); }).find("positives only"), std::string::npos);
}

TEST_F(Positives, NamesOfItemsTravel) {
  const std::string items = folder.file("items.csv", "item,title,genre\ni1,\"One, two\",a\ni3,Three,b\nnew,New,a\n");
  const Dataset data = import_csv(clicks(20, 10), {{"items", items}, {"item_name_column", "title"}});
  ASSERT_EQ(data.item_names.size(), static_cast<std::size_t>(data.items.size()));
  const auto called = [](const Dataset& of, const char* id) {
    return of.item_names.at(static_cast<std::size_t>(of.items.find(id)));
  };
  EXPECT_EQ(called(data, "i1"), "One, two");
  EXPECT_EQ(called(data, "new"), "New");
  EXPECT_EQ(called(data, "i2"), "");
  EXPECT_EQ(data.item_features.categorical.size(), 1u) << "a name is no feature";
  write_dataset(data, folder / "set");
  const Dataset again = read_dataset(folder / "set");
  EXPECT_EQ(again.item_names, data.item_names);
  EXPECT_EQ(again.fingerprint(), data.fingerprint());
  Dataset unnamed = data;
  unnamed.item_names.clear();
  EXPECT_EQ(unnamed.fingerprint(), data.fingerprint()) << "no model depends on names";
  Pool pool(1);
  const DatasetCache cache(std::string(32, 'a'), folder / "copy.cache", pool);
  cache.save(data);
  const auto copy = cache.load();
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->item_names, data.item_names);
  EXPECT_TRUE(copy->positives_only);
  EXPECT_NE(error_of<DataError>([&] {
              import_csv(clicks(5, 5), {{"item_name_column", "nmae"}});
            }).find("nmae"),
            std::string::npos);
}

TEST_F(Positives, AFeatureThatIsAnIdIsWarnedOf) {
  std::string items = "item,title,genre\n";
  for (int i = 0; i < 30; ++i)
    items += "i" + std::to_string(i) + ",Title " + std::to_string(i) + ",g" + std::to_string(i % 3) + "\n";
  import_csv(clicks(20, 30), {{"items", folder.file("items.csv", items)}});
  EXPECT_NE(ear.said.find("\"title\" has 30 values in 30 rows"), std::string::npos) << ear.said;
  EXPECT_EQ(ear.said.find("\"genre\""), std::string::npos);
}

std::map<std::string, std::vector<std::int64_t>> times_by_user(const Dataset& data, const Rows& rows) {
  std::map<std::string, std::vector<std::int64_t>> out;
  for (std::size_t r = 0; r < rows.size(); ++r) out[data.users.name(rows.user[r])].push_back(rows.timestamp[r]);
  return out;
}

TEST_F(Positives, SplitByTime) {
  const Dataset data = import_csv(clicks(20, 10, "", true), {{"time_column", "t"}, {"split", "time"}});
  const auto [low, high] = std::minmax_element(data.valid.timestamp.begin(), data.valid.timestamp.end());
  EXPECT_LT(*std::max_element(data.train.timestamp.begin(), data.train.timestamp.end()), *low);
  EXPECT_LT(*high, *std::min_element(data.test.timestamp.begin(), data.test.timestamp.end()));
  EXPECT_EQ(data.test.size(), 30u);
  EXPECT_EQ(data.valid.size(), 15u);
  EXPECT_EQ(word(data, "split"), "by time, 0.1 valid from 1105 on, 0.2 test from 1120 on");
  EXPECT_NE(ear.said.find("0.2 test from 1120 on"), std::string::npos) << "the cut is stated";
  EXPECT_EQ(word(data, "test_part"), "biased");
  error_of<UsageError>([&] { import_csv(clicks(20, 10), {{"split", "time"}}); });
  error_of<DataError>([&] {
    import_csv("user,item,t\na,x,1\na,y,1\nb,x,1\n",
               {{"time_column", "t"}, {"split", "time"}, {"log_test_share", "0.4"}});
  });
}

TEST_F(Positives, SplitByUsersRandomAndLeaveLast) {
  const std::string log = clicks(20, 10, "", true);
  const Dataset users = import_csv(log, {{"split", "users"}});
  std::set<std::int32_t> train(users.train.user.begin(), users.train.user.end());
  for (const Rows* part : {&users.valid, &users.test}) {
    EXPECT_FALSE(part->empty());
    for (const std::int32_t u : part->user) EXPECT_FALSE(train.contains(u)) << "whole users";
  }
  EXPECT_EQ(users.held_out_users, 6);
  const Dataset random = import_csv(log, {{"split", "random"}});
  EXPECT_EQ(random.test.size(), 30u);
  EXPECT_EQ(random.valid.size(), 15u);
  EXPECT_NE(random.fingerprint(), import_csv(log, {{"split", "random"}, {"seed", "2"}}).fingerprint());
  const Dataset last = import_csv(log, {{"split", "leave-last"}, {"timestamp_column", "t"}});
  const auto before = times_by_user(last, last.train), valid = times_by_user(last, last.valid),
             test = times_by_user(last, last.test);
  EXPECT_EQ(test.size(), 20u);
  for (const auto& [user, times] : test) {
    ASSERT_EQ(times.size(), 1u);
    EXPECT_LT(valid.at(user).at(0), times[0]);
    for (const std::int64_t t : before.at(user)) EXPECT_LT(t, valid.at(user)[0]);
  }
  error_of<UsageError>([&] {
    import_csv(log, {{"split", "random"}, {"test", folder.file("t.csv", "user,item\nu1,i1\nu2,i2\n")}});
  });
}

TEST_F(Positives, AForgottenUserIsGone) {
  const std::string people = folder.file("users.csv", "user,country,age\nu0,no,1\nu1,se,2\nu2,dk,3\n");
  Dataset data = import_csv(clicks(20, 10), {{"users", people}});
  const std::size_t rows = data.train.size() + data.valid.size() + data.test.size();
  const Forgotten gone = forget_user(data, "u1");
  EXPECT_EQ(data.users.find("u1"), -1);
  EXPECT_EQ(data.users.size(), 19);
  EXPECT_EQ(data.train.size() + data.valid.size() + data.test.size() +
                static_cast<std::size_t>(gone.train + gone.valid + gone.test),
            rows);
  EXPECT_GT(gone.train, 0);
  EXPECT_EQ(data.user_features.rows, 19);
  EXPECT_EQ(data.user_features.continuous[0].values[static_cast<std::size_t>(data.users.find("u2"))], 3);
  write_dataset(data, folder / "set");
  EXPECT_EQ(read_dataset(folder / "set").fingerprint(), data.fingerprint());
  error_of<DataError>([&] { forget_user(data, "u1"); });
}

}  // namespace
}  // namespace equipoise
