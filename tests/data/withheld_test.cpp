// What a log withholds: kept in folders and copies, refused where it cannot be so, and never drawn.
#include "data/withheld.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/batch.h"
#include "data/cells.h"
#include "data/dataset_cache.h"
#include "data/forget.h"
#include "data/import_helpers.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;
using test::import_from;
using test::TempFolder;

constexpr std::int32_t kUsers = 6, kItems = 5;

/// Users 0 and 1 could have no item but 3 and 4; everybody else has everything.
Dataset region() {
  Dataset data;
  data.name = "region";
  data.positives_only = true;
  data.protocol = "full";
  for (std::int32_t u = 0; u < kUsers; ++u) data.users.add("u" + std::to_string(u));
  for (std::int32_t i = 0; i < kItems; ++i) data.items.add("i" + std::to_string(i));
  data.withheld = {{1, 1, 0, 0, 0, 0}, {1, 1, 1, 0, 0}};
  for (std::int32_t u = 0; u < kUsers; ++u) {
    for (std::int32_t i = 0; i < kItems; ++i) {
      if (data.withheld.has(u, i) || (u + i) % 3 == 0) continue;
      data.train.user.push_back(u), data.train.item.push_back(i), data.train.label.push_back(1);
    }
  }
  return data;
}

TEST(Withheld, IsASetOfUsersTimesASetOfItems) {
  const Withheld w = region().withheld;
  EXPECT_TRUE(w.has(0, 2) && w.has(1, 0));
  EXPECT_FALSE(w.has(0, 3) || w.has(2, 0));
  EXPECT_EQ(w.cells(kUsers, kItems), 6);
  EXPECT_EQ(w.cells(1, 2), 2) << "of the first user and the first two items";
  EXPECT_EQ(w.item_numbers(), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_FALSE(nothing_withheld().has(0, 0));
  EXPECT_NE(sentence(w).find("2 users × 3 items"), std::string::npos);
}

TEST(Withheld, TravelsWithTheData) {
  TempFolder folder;
  const Dataset data = region();
  check_trainable(data);
  Dataset without = data;
  without.withheld = {};
  EXPECT_NE(without.fingerprint(), data.fingerprint());
  write_dataset(data, folder / "set");
  const Dataset again = read_dataset(folder / "set");
  EXPECT_EQ(again.withheld.users, data.withheld.users);
  EXPECT_EQ(again.withheld.items, data.withheld.items);
  EXPECT_EQ(again.fingerprint(), data.fingerprint());
  Pool pool(1);
  const DatasetCache cache(std::string(32, 'a'), folder / "copy.cache", pool);
  cache.save(data);
  EXPECT_EQ(cache.load().value().fingerprint(), data.fingerprint());
  write_dataset(without, folder / "set");
  EXPECT_TRUE(read_dataset(folder / "set").withheld.empty()) << "the file goes with the data set that had it";
}

TEST(Withheld, ForgetsItsUsers) {
  Dataset data = region();
  forget_user(data, "u0");
  EXPECT_EQ(data.withheld.users, (std::vector<std::uint8_t>{1, 0, 0, 0, 0}));
  check_trainable(data);
  forget_user(data, "u1");
  EXPECT_TRUE(data.withheld.empty()) << "nobody is left in it";
}

TEST(Withheld, RefusesWhatCannotBeSo) {
  const auto refused = [](const Dataset& data) { return error_of<DataError>([&] { check_trainable(data); }); };
  Dataset shown = region();
  shown.train.user.push_back(1), shown.train.item.push_back(2), shown.train.label.push_back(1);
  EXPECT_NE(refused(shown).find("train has a row of user \"u1\" and item \"i2\""), std::string::npos);
  Dataset short_marks = region();
  short_marks.withheld.items.pop_back();
  EXPECT_NE(refused(short_marks).find("not one for each"), std::string::npos);

  // All cells of the set as held-out rows tell nothing; if they are positives alone, they tell everything.
  Dataset block = region();
  block.test = all_cells({0, 1}, {0, 1, 2}, {{0, 1}, {0, 2}, {1, 1}, {}, {}, {}});
  check_trainable(block);
  for (float& label : block.test.label) label = 1;
  EXPECT_NE(refused(block).find("would tell training where they are"), std::string::npos);
}

TEST(Withheld, NothingOfItIsDrawn) {
  const Dataset data = region();
  for (const double power : {0.0, 1.0}) {
    Batches batches(data.train, kUsers, kItems, 1000, 5, 200, {200, power}, data.withheld);
    batches.begin_epoch(1);
    const Batch& batch = batches.make(0);
    std::vector<double> count(kUsers * kItems, 0.0);
    for (std::size_t k = 0; k < batch.drawn.size(); ++k) {
      count[static_cast<std::size_t>(batch.drawn.user[k] * kItems + batch.drawn.item[k])] += 1;
    }
    const double expected = static_cast<double>(batch.drawn.size()) / 24;  // pairs that are left
    double chi2 = 0;
    for (std::int32_t u = 0; u < kUsers; ++u) {
      for (std::int32_t i = 0; i < kItems; ++i) {
        const double n = count[static_cast<std::size_t>(u * kItems + i)];
        if (data.withheld.has(u, i))
          EXPECT_EQ(n, 0);
        else
          chi2 += (n - expected) * (n - expected) / expected;
      }
    }
    EXPECT_LT(chi2, 49.7);  // 23 degrees of freedom: exceeded once in a thousand seeds
    for (std::size_t k = 0; k < batch.against.size(); ++k) {
      ASSERT_FALSE(data.withheld.has(batch.against.user[k], batch.against.item[k]));
    }
  }
}

TEST(Withheld, TheLawOfItsUsersIsTheirOwn) {
  const Dataset data = region();
  for (const double power : {0.0, 0.5}) {
    const ItemLaws laws(data.train, kItems, power, data.withheld);
    const ItemLaw all(data.train, kItems, power);
    double sum = 0;
    for (std::int32_t i = 0; i < kItems; ++i) {
      sum += laws.of(0).chance(i);
      EXPECT_EQ(laws.of(2).chance(i), all.chance(i));
      if (i < 3) {
        EXPECT_EQ(laws.of(0).chance(i), 0);
      }
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(laws.of(0).chance(3) / laws.of(0).chance(4), all.chance(3) / all.chance(4), 1e-12);
  }
}

TEST(Withheld, ImportTakesAFileOfIds) {
  TempFolder folder;
  std::string log = "user,item\n";
  for (int u = 0; u < 20; ++u) {
    for (int i = 0; i < 10; ++i) {
      if (u >= 2 || i >= 3) log += "u" + std::to_string(u) + ",i" + std::to_string(i) + "\n";
    }
  }
  const std::string path = folder.file("log.csv", log);
  const auto with = [&](const std::string& ids) {
    return import_from("csv", {path}, {{"withheld", folder.file("withheld.csv", ids)}});
  };
  const Dataset data = with("side,id\nuser,u0\nuser,u1\nitem,i0\nitem,i1\nitem,i2\n");
  EXPECT_TRUE(data.withheld.has(data.users.find("u1"), data.items.find("i2")));
  EXPECT_FALSE(data.withheld.has(data.users.find("u2"), data.items.find("i2")));
  const auto refused = [&](const std::string& ids) { return error_of<DataError>([&] { with(ids); }); };
  EXPECT_NE(refused("side,id\nuser,u0\nitem,i5\n").find("so the log does not withhold them"), std::string::npos);
  EXPECT_NE(refused("side,id\nuser,u0\n").find("users and of items"), std::string::npos);
  EXPECT_NE(refused("side,id\nuser,nobody\n").find("occurs nowhere else"), std::string::npos);
  EXPECT_NE(refused("side,id\nuser,u0\nuser,u0\n").find("twice"), std::string::npos);
  EXPECT_NE(refused("side,id\nplace,u0\n").find("expected user or item"), std::string::npos);
  EXPECT_NE(refused("user,item\nu0,i0\n").find("side"), std::string::npos) << "single pairs cannot be named";
}

}  // namespace
}  // namespace equipoise
