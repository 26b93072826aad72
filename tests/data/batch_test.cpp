// Batches: every row once an epoch, the same for the same name, drawn pairs uniform over all pairs.
#include "data/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace equipoise {
namespace {

/// Row t: user t mod 5, item t mod 3, label t mod 2, weight t (or none).
Rows some_rows(std::int32_t count, bool weights) {
  Rows rows;
  for (std::int32_t t = 0; t < count; ++t) {
    rows.user.push_back(t % 5);
    rows.item.push_back(t % 3);
    rows.label.push_back(static_cast<float>(t % 2));
    if (weights) rows.weight.push_back(static_cast<float>(t));
  }
  return rows;
}

std::vector<std::uint32_t> order_of(Batches& batches, int epoch) {
  std::vector<std::uint32_t> order;
  batches.begin_epoch(epoch);
  for (std::size_t b = 0; b < batches.count(); ++b) {
    const Pairs& shown = batches.make(b).shown;
    order.insert(order.end(), shown.row.begin(), shown.row.end());
  }
  return order;
}

TEST(Batches, AnEpochHasEveryRowOnce) {
  const Rows log = some_rows(23, true);
  Batches batches(log, 5, 3, 10, 1);
  ASSERT_EQ(batches.count(), 3U);
  for (int epoch = 1; epoch <= 3; ++epoch) {
    std::vector<std::uint32_t> order = order_of(batches, epoch);
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> all(23);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(order, all);
  }
}

TEST(Batches, ColumnsAreThoseOfTheRow) {
  for (const bool weights : {false, true}) {
    const Rows log = some_rows(23, weights);
    Batches batches(log, 5, 3, 10, 1);
    batches.begin_epoch(2);
    const std::vector<std::size_t> sizes = {10, 10, 3};
    for (std::size_t b = 0; b < 3; ++b) {
      const Batch& batch = batches.make(b);
      ASSERT_EQ(batch.shown.size(), sizes[b]);
      EXPECT_EQ(batch.number, b);
      EXPECT_EQ(batch.epoch, 2);
      EXPECT_EQ(batch.drawn.size(), 0U);
      for (std::size_t k = 0; k < batch.shown.size(); ++k) {
        const std::uint32_t t = batch.shown.row[k];
        EXPECT_EQ(batch.shown.user[k], log.user[t]);
        EXPECT_EQ(batch.shown.item[k], log.item[t]);
        EXPECT_EQ(batch.shown.label[k], log.label[t]);
        EXPECT_EQ(batch.shown.weight[k], weights ? static_cast<float>(t) : 1.0f);
      }
    }
  }
}

TEST(Batches, ABatchDependsOnSeedEpochAndNumberAlone) {
  const Rows log = some_rows(40, false);
  Batches one(log, 500, 300, 16, 9, 2), other(log, 500, 300, 16, 9, 2);
  one.begin_epoch(3);
  other.begin_epoch(1);
  for (std::size_t b = 0; b < 3; ++b) other.make(b);
  other.begin_epoch(3);
  const Batch& later = other.make(2);
  const Batch& alone = one.make(2);
  EXPECT_TRUE(std::ranges::equal(later.shown.row, alone.shown.row));
  EXPECT_TRUE(std::ranges::equal(later.drawn.user, alone.drawn.user));
  EXPECT_TRUE(std::ranges::equal(later.drawn.item, alone.drawn.item));
  EXPECT_EQ(alone.drawn.size(), 16U);

  const std::vector<std::int32_t> before(alone.drawn.user.begin(), alone.drawn.user.end());
  EXPECT_FALSE(std::ranges::equal(one.make(1).drawn.user, before));
  Batches seeded(log, 500, 300, 16, 10, 2);
  seeded.begin_epoch(3);
  EXPECT_FALSE(std::ranges::equal(seeded.make(2).drawn.user, before));
  EXPECT_NE(order_of(one, 1), order_of(one, 2));
  EXPECT_NE(order_of(one, 1), order_of(seeded, 1));
}

TEST(Batches, DrawnPairsAreUniformOverAllPairs) {
  const Rows log = some_rows(1000, false);
  Batches batches(log, 4, 3, 1000, 5, 24);
  batches.begin_epoch(1);
  const Batch& batch = batches.make(0);
  ASSERT_EQ(batch.drawn.size(), 24000U);
  std::vector<double> count(12, 0.0);
  for (std::size_t k = 0; k < batch.drawn.size(); ++k) {
    ASSERT_TRUE(batch.drawn.user[k] >= 0 && batch.drawn.user[k] < 4);
    ASSERT_TRUE(batch.drawn.item[k] >= 0 && batch.drawn.item[k] < 3);
    count[static_cast<std::size_t>(batch.drawn.user[k] * 3 + batch.drawn.item[k])] += 1;
  }
  double chi2 = 0;
  for (const double c : count) chi2 += (c - 2000) * (c - 2000) / 2000;
  EXPECT_LT(chi2, 31.3);  // 11 degrees of freedom: exceeded once in a thousand seeds
  EXPECT_TRUE(batch.drawn.label.empty());
}

TEST(Batches, ItemsDrawnAgainstARowKeepItsUserAndFollowTheirLaw) {
  Rows log;
  for (std::int32_t t = 0; t < 1000; ++t) {  // items 0, 1, 2 have 800, 150 and 50 rows, item 3 has none
    log.user.push_back(t % 5);
    log.item.push_back(t < 800 ? 0 : t < 950 ? 1 : 2);
    log.label.push_back(1);
  }
  const double rows[] = {800, 150, 50, 0};
  for (const double power : {0.0, 0.5, 1.0}) {
    Batches batches(log, 5, 4, 1000, 5, 0, {24, power});
    batches.begin_epoch(1);
    const Batch& batch = batches.make(0);
    ASSERT_EQ(batch.against.size(), 24000U);
    const ItemLaw law(log, 4, power);
    std::vector<double> count(4, 0.0);
    double all = 0, chi2 = 0;
    for (std::size_t k = 0; k < batch.against.size(); ++k) {
      ASSERT_EQ(batch.against.user[k], batch.shown.user[k / 24]);
      count.at(static_cast<std::size_t>(batch.against.item[k])) += 1;
    }
    for (const double n : rows) all += power == 0 ? 1 : std::pow(n, power);
    for (std::size_t i = 0; i < 4; ++i) {
      const double share = (power == 0 ? 1 : std::pow(rows[i], power)) / all;
      EXPECT_NEAR(law.chance(static_cast<std::int32_t>(i)), share, 1e-12);
      if (share > 0)
        chi2 += std::pow(count[i] - 24000 * share, 2) / (24000 * share);
      else
        EXPECT_EQ(count[i], 0) << "never drawn";
    }
    EXPECT_LT(chi2, 16.3);  // 3 degrees of freedom: exceeded once in a thousand seeds
  }
}

TEST(Batches, ItemsDrawnAgainstRowsChangeNothingElse) {
  const Rows log = some_rows(40, false);
  Batches plain(log, 500, 300, 16, 9, 2), more(log, 500, 300, 16, 9, 2, {3, 0.5});
  plain.begin_epoch(3);
  more.begin_epoch(3);
  const Batch& a = plain.make(1);
  const Batch& b = more.make(1);
  EXPECT_TRUE(std::ranges::equal(a.shown.row, b.shown.row));
  EXPECT_TRUE(std::ranges::equal(a.drawn.user, b.drawn.user));
  EXPECT_TRUE(std::ranges::equal(a.drawn.item, b.drawn.item));
  EXPECT_EQ(a.against.size(), 0U);
  const std::vector<std::int32_t> items(b.against.item.begin(), b.against.item.end());
  more.make(0);
  EXPECT_TRUE(std::ranges::equal(more.make(1).against.item, items)) << "a batch depends on its number alone";
}

TEST(Batches, ABatchLargerThanTheLogIsTheLog) {
  const Rows log = some_rows(7, false);
  Batches batches(log, 5, 3, 100, 1, 1);
  EXPECT_EQ(batches.count(), 1U);
  batches.begin_epoch(1);
  EXPECT_EQ(batches.make(0).shown.size(), 7U);
  EXPECT_EQ(batches.make(0).drawn.size(), 7U);
}

}  // namespace
}  // namespace equipoise
