// The importers of KuaiRec and KuaiRand on small files in their formats.
#include <gtest/gtest.h>

#include <filesystem>

#include "data/import_helpers.h"
#include "data/positives.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;
using test::import_from;
using test::number;
using test::TempFolder;
using test::word;

std::string tags(const Dataset& data, const char* item) {
  const CategoricalField& field = data.item_features.categorical.at(0);
  const auto row = static_cast<std::size_t>(data.items.find(item));
  std::string out;
  for (auto k = field.offsets[row]; k < field.offsets[row + 1]; ++k) {
    out += (out.empty() ? "" : "|") + field.values[static_cast<std::size_t>(field.codes[static_cast<std::size_t>(k)])];
  }
  return out;
}

float label(const Dataset& data, const Rows& rows, const char* user, const char* item) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (data.users.name(rows.user[r]) == user && data.items.name(rows.item[r]) == item) return rows.label[r];
  }
  return -1;
}

TEST(Kuairec, PositivesAndTheBlock) {
  TempFolder folder;
  std::string log = "user,item\n";
  for (int u = 0; u < 10; ++u) {
    for (int i = 0; i < 10; ++i) log += std::to_string(u) + "," + std::to_string(10 + i) + "\n";
  }
  folder.file("log_positives.csv", log + "1,2\n");
  folder.file("block_positives.csv", "user,item\n0,1\n1,3\n");
  std::string items = "item,in_block,tags\n1,1,8\n2,1,27|9\n3,1,\n";
  for (int i = 10; i < 20; ++i) items += std::to_string(i) + ",0,5\n";
  folder.file("items.csv", items);
  const Dataset data = import_from("kuairec", {folder.path()}, {{"valid_like", "log"}});
  EXPECT_TRUE(data.positives_only);
  EXPECT_EQ(data.protocol, "test-items");
  EXPECT_EQ(data.withheld.cells(data.users.size(), data.items.size()), 6) << "the log could not hold the block";
  EXPECT_TRUE(data.withheld.has(data.users.find("0"), data.items.find("3")));
  EXPECT_EQ(data.test.size(), 6u) << "every cell of two users and three items";
  EXPECT_EQ(label(data, data.test, "0", "1"), 1);
  EXPECT_EQ(label(data, data.test, "0", "3"), 0);
  EXPECT_EQ(label(data, data.test, "1", "2"), 0) << "the block knows";
  EXPECT_EQ(number(data, "leaks_removed"), 1) << "(1, 2) is a cell of the block";
  EXPECT_EQ(data.train.size() + data.valid.size(), 100u);
  EXPECT_EQ(data.valid.size(), 10u) << "a tenth of each user's rows";
  EXPECT_TRUE(all_positive(data.valid));
  EXPECT_EQ(tags(data, "2"), "27|9");
  EXPECT_EQ(word(data, "test_part"), "unbiased");
  EXPECT_EQ(count_leaks(data), 0);
  error_of<UsageError>([&] { import_from("kuairec", {folder.path()}, {{"positive_at_least", "3"}}); });
  folder.file("block_positives.csv", "user,item\n0,10\n");
  EXPECT_NE(error_of<DataError>([&] { import_from("kuairec", {folder.path()}); }).find("not in the block"),
            std::string::npos);
}

// Training sees of valid's users what it sees of the block's: their items outside it.
TEST(Kuairec, ValidIsMadeLikeTheBlock) {
  TempFolder folder;
  std::string log = "user,item\n";
  for (int u = 0; u < 22; ++u) {
    for (int i = 1; i < 20; ++i) {
      if ((u >= 2 || i > 3) && (u + i) % 2 == 0) log += std::to_string(u) + "," + std::to_string(i) + "\n";
    }
  }
  folder.file("log_positives.csv", log);
  folder.file("block_positives.csv", "user,item\n0,1\n1,3\n");
  std::string items = "item,in_block,tags\n";
  for (int i = 1; i < 20; ++i) items += std::to_string(i) + (i <= 3 ? ",1,5\n" : ",0,5\n");
  folder.file("items.csv", items);
  const Dataset data = import_from("kuairec", {folder.path()}, {{"log_valid_share", "0.25"}});
  EXPECT_EQ(data.valid.size(), 15u) << "five of twenty users, all three items";
  EXPECT_TRUE(has_both_labels(data.valid));
  EXPECT_EQ(data.withheld.user_count(), 7) << "two of the block, five of valid";
  check_trainable(data);
  for (std::size_t r = 0; r < data.valid.size(); ++r) {
    const int u = std::stoi(data.users.name(data.valid.user[r])), i = std::stoi(data.items.name(data.valid.item[r]));
    EXPECT_GE(u, 2);
    EXPECT_EQ(data.valid.label[r], (u + i) % 2 == 0 ? 1 : 0) << "1 where the log has a row";
    EXPECT_TRUE(data.withheld.has(data.valid.user[r], data.valid.item[r]));
  }
  EXPECT_EQ(data.held_out_users, 0);
}

TEST(Kuairec, OriginalFiles) {
  TempFolder folder;
  const std::string head = "user_id,video_id,play_duration,video_duration,time,date,timestamp,watch_ratio\n";
  std::string big = head;
  for (int u = 0; u < 5; ++u) {
    for (int i = 10; i < 20; ++i) {
      big += std::to_string(u) + "," + std::to_string(i) + ",1,1,,,," + (i % 2 == 0 ? "2.5\n" : "0.4\n");
    }
  }
  folder.file("big_matrix.csv", big + "0,10,1,1,,,,3.1\n");
  folder.file("small_matrix.csv", head + "0,1,1,1,,,,2\n0,2,1,1,,,,1.99\n1,1,1,1,,,,0\n1,2,1,1,,,,7\n");
  folder.file("item_categories.csv", "video_id,feat\n1,[8]\n2,\"[27, 9]\"\n10,[]\n");
  const Dataset data = import_from("kuairec", {folder.path()}, {{"valid_like", "log"}});
  EXPECT_TRUE(data.positives_only);
  EXPECT_EQ(data.train.size() + data.valid.size(), 25u) << "the positives";
  EXPECT_EQ(number(data, "duplicates_removed"), 1);
  EXPECT_EQ(number(data, "rows_dropped"), 25);
  EXPECT_EQ(data.test.label, (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(tags(data, "2"), "27|9");
  EXPECT_EQ(word(data, "label_rule"), "label = 1 if watch_ratio >= 2");
  EXPECT_EQ(import_from("kuairec", {folder.path()}, {{"positive_at_least", "2.4"}}).test.label,
            (std::vector<float>{0, 0, 0, 1}));
}

TEST(Kuairand, PositivesAndRandomRows) {
  TempFolder folder;
  std::filesystem::create_directory(folder / "data");
  const std::string head = "user_id,video_id,date,time_ms,is_click,long_view\n";
  std::string first = head, second = head, random = head;
  for (int u = 0; u < 6; ++u) {
    for (int i = 0; i < 6; ++i) {
      const std::string row =
          std::to_string(u) + "," + std::to_string(i) + ",20220408,1649400000000," + "01"[(u + i) % 2] + ",0\n";
      (u < 3 ? first : second) += row;
      if (u < 3 && i == 5) second += row;  // seen again
    }
    for (int i = 6; i < 9; ++i)
      random += std::to_string(u) + "," + std::to_string(i) + ",20220422,1649500000000," + "01"[i % 2] + ",1\n";
  }
  folder.file("data/log_standard_4_08_to_4_21_pure.csv", first);
  folder.file("data/log_standard_4_22_to_5_08_pure.csv", second);
  folder.file("data/log_random_4_22_to_5_08_pure.csv", random);
  folder.file("data/user_features_pure.csv",
              "user_id,user_active_degree,follow_user_num,onehot_feat0\n0,full,5,1\n1,high,6,0\n");
  folder.file("data/video_features_basic_pure.csv",
              "video_id,author_id,video_type,video_duration,tag\n0,9,AD,10.5,\"12,65\"\n8,9,NORMAL,,3\n");
  const Dataset data = import_from("kuairand", {folder.path()});
  EXPECT_TRUE(data.positives_only);
  EXPECT_EQ(data.protocol, "test-items");
  EXPECT_EQ(data.train.size(), 18u);
  EXPECT_EQ(number(data, "duplicates_removed"), 2) << "of two files";
  EXPECT_EQ(data.train.timestamp.size(), 18u);
  EXPECT_EQ(data.valid.size() + data.test.size(), 18u);
  EXPECT_TRUE(has_both_labels(data.valid) && has_both_labels(data.test));
  EXPECT_EQ(tags(data, "0"), "AD");
  EXPECT_EQ(data.item_features.categorical.at(1).values, (std::vector<std::string>{"12", "65", "3"}));
  EXPECT_EQ(data.user_features.categorical.size(), 2u);
  EXPECT_TRUE(data.user_features.continuous.empty()) << "counts that are in ranges too are left out";
  const Dataset both = import_from("kuairand", {folder.path()}, {{"keep_negatives", "true"}});
  EXPECT_FALSE(both.positives_only);
  EXPECT_EQ(both.train.size(), 36u);
  EXPECT_NE(error_of<DataError>([&] {
              import_from("kuairand", {folder.path()}, {{"positive_field", "long_view"}});
            }),
            "");
  std::filesystem::remove(folder / "data/log_random_4_22_to_5_08_pure.csv");
  EXPECT_NE(error_of<DataError>([&] { import_from("kuairand", {folder.path()}); }).find("log_random_"),
            std::string::npos);
}

}  // namespace
}  // namespace equipoise
