// Labels, shared pairs, columns of features, samples of users: each against small logs worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "doctor/label_shift.h"
#include "doctor/shared_rows.h"
#include "doctor/user_sample.h"
#include "logs.h"
#include "propensity/columns.h"

namespace equipoise {
namespace {

using test::add_row;
using test::empty_log;

TEST(LabelShiftTest, ByHand) {
  Rows shown, unbiased;
  for (int u = 0; u < 4; ++u) {
    for (int i = 0; i < 2; ++i) add_row(shown, u, i, u < 3);
    add_row(unbiased, u, 0, u == 0), add_row(unbiased, u, 2, u == 0);
  }
  const LabelShift found = label_shift(shown, unbiased, 4, std::vector<double>{4, 4, 0});
  EXPECT_DOUBLE_EQ(found.shown.share, 0.75);
  EXPECT_DOUBLE_EQ(found.unbiased.share, 0.25);
  EXPECT_EQ(found.shown.rows, 8u);
  EXPECT_DOUBLE_EQ(found.difference, 0.5);
  // Influences of users on shown: (2 − 1.5)/8 thrice, −1.5/8; on unbiased: 1.5/8, −0.5/8 thrice. Differences ×8:
  // −1, 1, 1, −1: error = √4 ÷ 8 = 0.25, z = 2.
  EXPECT_NEAR(found.standard_error, 0.25, 1e-12);
  EXPECT_NEAR(found.p_value, 0.0455, 1e-4);
  // Unbiased items sorted by count: 0, 0, 0, 0, 4, 4, 4, 4: thirds begin at 0 and 4, so item 2 is in the middle one.
  EXPECT_EQ(found.by_popularity[0].unbiased.rows, 0u);
  EXPECT_EQ(found.by_popularity[1].unbiased.rows, 4u);
  EXPECT_EQ(found.by_popularity[1].shown.rows, 0u);
  EXPECT_EQ(found.by_popularity[2].shown.rows, 8u);
}

TEST(SharedRowsTest, ByHand) {
  Dataset data = empty_log("shared", 3, 3);
  add_row(data.train, 0, 0, true), add_row(data.train, 0, 1, true), add_row(data.train, 1, 1, false);
  add_row(data.train, 1, 1, false);  // repeats
  add_row(data.valid, 0, 1, true), add_row(data.valid, 2, 2, true);
  add_row(data.test, 1, 1, true), add_row(data.test, 2, 2, true), add_row(data.test, 0, 2, true);
  data.provenance["leaks_removed"] = 7;
  const SharedRows found = shared_rows(data);
  EXPECT_EQ(found.train_valid, 1);
  EXPECT_EQ(found.train_test, 1);
  EXPECT_EQ(found.valid_test, 1);
  EXPECT_EQ(found.other_label, 1);
  EXPECT_EQ(found.train_repeats, 1);
  EXPECT_EQ(found.test_repeats, 0);
  EXPECT_EQ(found.train_conflicts, 0);
  EXPECT_EQ(found.leaks_removed, 7);
}

TEST(SharedRowsTest, PairsWithBothLabels) {
  Dataset data = empty_log("conflicts", 3, 3);
  for (const bool label : {true, true, false}) add_row(data.train, 0, 0, label);  // one pair, however many rows
  for (const bool label : {false, true}) add_row(data.train, 1, 0, label), add_row(data.test, 2, 2, label);
  add_row(data.train, 2, 1, true), add_row(data.train, 2, 1, true);
  const SharedRows found = shared_rows(data);
  EXPECT_EQ(found.train_repeats, 4);
  EXPECT_EQ(found.train_conflicts, 2);
  EXPECT_EQ(found.valid_conflicts, 0);
  EXPECT_EQ(found.test_conflicts, 1);
}

TEST(UserColumns, EveryFieldHasAVarianceOfOne) {
  Dataset data = empty_log("features", 60, 4);
  test::add_features(data);
  const Columns columns = feature_columns(data.user_features, 1);
  ASSERT_EQ(columns.width, 2u + 2u + 3u);  // two numbers, two colours, three tags
  const auto variance = [&](std::size_t c) {
    double sum = 0, squares = 0;
    for (std::size_t r = 0; r < 60; ++r) sum += columns.row(r)[c], squares += std::pow(columns.row(r)[c], 2);
    EXPECT_NEAR(sum, 0, 1e-4);
    return squares / 60;
  };
  std::vector<double> variances;
  for (std::size_t c = 0; c < 7; ++c) variances.push_back(variance(c));
  EXPECT_NEAR(variances[0], 1, 1e-5);
  EXPECT_NEAR(variances[2] + variances[3], 1, 1e-5);
  EXPECT_NEAR(variances[4] + variances[5] + variances[6], 1, 1e-5);
}

TEST(UserColumns, WideFeaturesAreFoldedAndKeepDistances) {
  Features wide;
  wide.rows = 30;
  for (int f = 0; f < 300; ++f) wide.continuous.push_back(test::some_numbers("f" + std::to_string(f), 30));
  const Columns folded = feature_columns(wide, 1);
  ASSERT_EQ(folded.width, kMostColumns);
  double squares = 0;
  for (const float v : folded.values) squares += static_cast<double>(v) * v;
  EXPECT_NEAR(squares / 30, 300, 60);
  EXPECT_TRUE(feature_columns({}, 1).empty());
}

TEST(UserSample, KeepsWholeUsers) {
  Dataset data = test::known_log(50, 20, 4);
  const Dataset some = sample_users(data, 60, 2);
  EXPECT_GE(some.train.size(), 60u);
  EXPECT_LT(some.train.size(), 60u + 4u);
  EXPECT_EQ(some.items.size(), 20);
  EXPECT_EQ(some.user_features.rows, some.users.size());
  std::vector<int> rows(50, 0), kept(50, 0);
  for (const auto u : data.train.user) ++rows[static_cast<std::size_t>(u)];
  for (const auto u : some.train.user) ++kept[static_cast<std::size_t>(data.users.find(some.users.name(u)))];
  for (std::size_t u = 0; u < 50; ++u) EXPECT_TRUE(kept[u] == 0 || kept[u] == rows[u]);
  for (std::int32_t u = 0; u < some.users.size(); ++u) {
    const auto old = static_cast<std::size_t>(data.users.find(some.users.name(u))), now = static_cast<std::size_t>(u);
    const auto& a = data.user_features.continuous[0].values;
    const auto& b = some.user_features.continuous[0].values;
    EXPECT_TRUE(a[old] == b[now] || (std::isnan(a[old]) && std::isnan(b[now])));
    const auto& c = data.user_features.categorical[1];
    const auto& d = some.user_features.categorical[1];
    EXPECT_EQ(c.offsets[old + 1] - c.offsets[old], d.offsets[now + 1] - d.offsets[now]);
  }
  EXPECT_EQ(sample_users(data, 100000, 2).train.size(), data.train.size());
}

TEST(UserSample, DrawsRowsOfUsersWhoHaveFarTooMany) {
  Dataset data = test::empty_log("wide", 2, 1000);
  for (int i = 0; i < 1000; ++i) test::add_row(data.train, i % 2, i, i % 4 < 2);
  const Dataset some = sample_users(data, 100, 2);
  EXPECT_EQ(some.train.size(), 100u);
  EXPECT_EQ(some.items.size(), 1000);
  EXPECT_EQ(some.train.item, sample_users(data, 100, 2).train.item);
  EXPECT_NE(some.train.item, sample_users(data, 100, 3).train.item);
}

}  // namespace
}  // namespace equipoise
