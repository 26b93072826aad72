// Who has what: different items with their newest label, the order in which they are kept, the permuted control.
#include "data/user_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/random.h"
#include "data/batch.h"
#include "logs.h"

namespace equipoise::test {
namespace {

Rows some_rows() {
  Rows rows;
  add_row(rows, 0, 3, true), add_row(rows, 1, 2, false), add_row(rows, 0, 1, false), add_row(rows, 0, 3, false);
  add_row(rows, 2, 3, true);
  return rows;
}

std::vector<std::int32_t> list(std::span<const std::int32_t> items) { return {items.begin(), items.end()}; }

TEST(UserItems, AreNewestFirstByTimestamp) {
  Rows rows = some_rows();
  rows.timestamp = {5, 1, 9, 2, 4};  // user 0: item 3 at 5, item 1 at 9, item 3 again at 2
  const UserItems got = user_items(rows, 4, 1);
  EXPECT_TRUE(got.by_time);
  EXPECT_EQ(list(got.of(0)), (std::vector<std::int32_t>{1, 3}));
  EXPECT_EQ(got.labels_of(0)[1], 1) << "of the newest row of the item";
  EXPECT_EQ(list(got.of(1)), (std::vector<std::int32_t>{2}));
  EXPECT_TRUE(got.of(3).empty());
  EXPECT_TRUE(got.of(-1).empty());
  EXPECT_NEAR(got.mean_label, 0.4, 1e-6);
}

TEST(UserItems, WithoutTimestampsTheLastRowOfAnItemCountsAndTheOrderIsDrawn) {
  const UserItems got = user_items(some_rows(), 3, 1);
  ASSERT_EQ(got.of(0).size(), 2U);
  const std::size_t three = got.of(0)[0] == 3 ? 0 : 1;
  EXPECT_EQ(got.of(0)[three], 3);
  EXPECT_EQ(got.labels_of(0)[three], 0) << "labels move with their items";
  Rows many;
  for (int i = 0; i < 40; ++i) add_row(many, 0, i, i % 2 == 0);
  const UserItems one = user_items(many, 1, 1), other = user_items(many, 1, 2);
  EXPECT_NE(one.items, other.items) << "another seed, another order";
  for (std::size_t k = 0; k < 40; ++k) EXPECT_EQ(one.labels[k], one.items[k] % 2 == 0 ? 1.0f : 0.0f);
}

TEST(UserItems, PermutedKeepHowManyItemsAUserAndUsersAnItemHas) {
  const Dataset data = known_log(200, 30, 10);
  const UserItems before = user_items(data.train, data.users.size(), 1), after = permuted(before, 1);
  EXPECT_EQ(after.offsets, before.offsets);
  auto sorted = [](std::vector<std::int32_t> items) { return std::sort(items.begin(), items.end()), items; };
  EXPECT_EQ(sorted(after.items), sorted(before.items));
  std::size_t kept = 0, repeats = 0;
  for (std::int32_t u = 0; u < data.users.size(); ++u) {
    std::vector<std::int32_t> now = sorted(list(after.of(u)));
    repeats += now.end() != std::adjacent_find(now.begin(), now.end()) ? 1 : 0;
    for (const std::int32_t item : before.of(u)) kept += std::count(now.begin(), now.end(), item) > 0 ? 1 : 0;
  }
  EXPECT_EQ(repeats, 0U);
  EXPECT_LT(kept, before.items.size() * 3 / 4) << "who has what is drawn anew";
}

TEST(Batches, DrawnPairsLeaveOutAnItemSoThatHistoriesAreOfEqualSize) {
  const Dataset data = known_log(100, 20, 8);
  const UserItems history = user_items(data.train, data.users.size(), 1);
  Batches batches(data.train, data.users.size(), data.items.size(), 64, 3, 2);
  batches.use(history);
  batches.begin_epoch(1);
  for (std::size_t number = 0; number < batches.count(); ++number) {
    const Batch& b = batches.make(number);
    EXPECT_TRUE(b.shown.left_out.empty()) << "a shown pair leaves out its own item";
    ASSERT_EQ(b.drawn.left_out.size(), b.drawn.size());
    for (std::size_t k = 0; k < b.drawn.size(); ++k) {
      const auto own = history.of(b.drawn.user[k]);
      const bool has = std::find(own.begin(), own.end(), b.drawn.item[k]) != own.end();
      if (own.empty()) {
        EXPECT_EQ(b.drawn.left_out[k], -1);
      } else if (has) {
        EXPECT_EQ(b.drawn.left_out[k], b.drawn.item[k]);
      } else {
        EXPECT_NE(std::find(own.begin(), own.end(), b.drawn.left_out[k]), own.end()) << "one of the user's own";
      }
    }
  }
}

TEST(Batches, WhatIsLeftOutIsUniformAmongTheUsersItems) {
  Rows rows;
  for (int i = 0; i < 5; ++i) add_row(rows, 0, i, true);
  const UserItems history = user_items(rows, 1, 1);
  Stream stream(1, "test");
  std::map<std::int32_t, int> counts;
  for (int k = 0; k < 5000; ++k) ++counts[draw_left_out(history, 0, 9, stream)];
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(counts[i], 1000, 130) << i;  // 4.6 standard deviations
}

TEST(Batches, WithAPermutedHistoryShownPairsLeaveOneOutToo) {
  const Dataset data = known_log(60, 20, 8);
  const UserItems history = permuted(user_items(data.train, data.users.size(), 1), 1);
  Batches batches(data.train, data.users.size(), data.items.size(), 64, 3);
  batches.use(history);
  batches.begin_epoch(1);
  const Batch& b = batches.make(0);
  ASSERT_EQ(b.shown.left_out.size(), b.shown.size());
  for (std::size_t k = 0; k < b.shown.size(); ++k) {
    const auto own = history.of(b.shown.user[k]);
    EXPECT_NE(std::find(own.begin(), own.end(), b.shown.left_out[k]), own.end());
  }
}

}  // namespace
}  // namespace equipoise::test
