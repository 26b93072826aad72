// Splits: no row lost or doubled, users kept whole, shares, odds, leaks; and draws without replacement.
#include "data/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/error.h"
#include "core/random.h"
#include "data/draw.h"

namespace equipoise {
namespace {

/// Rows whose timestamp is their number, so that each can be followed.
Rows make_rows(const std::vector<std::pair<int, int>>& pairs) {
  Rows rows;
  for (const auto& [user, item] : pairs) {
    rows.timestamp.push_back(static_cast<std::int64_t>(rows.size()));
    rows.user.push_back(user);
    rows.item.push_back(item);
    rows.label.push_back(static_cast<float>((user + item) % 2));
  }
  return rows;
}

/// `users` users with 1, 2, … rows each; user u has items 0 … n_u − 1, so that item 0 is the most frequent.
Rows stairs(int users) {
  std::vector<std::pair<int, int>> pairs;
  for (int u = 0; u < users; ++u) {
    for (int i = 0; i <= u; ++i) pairs.emplace_back(u, i);
  }
  return make_rows(pairs);
}

std::multiset<std::int64_t> numbers(const Parts& parts) {
  std::multiset<std::int64_t> all;
  for (const Rows* rows : {&parts.train, &parts.valid, &parts.test}) {
    all.insert(rows->timestamp.begin(), rows->timestamp.end());
  }
  return all;
}

std::multiset<std::int64_t> first_numbers(std::size_t n) {
  std::vector<std::int64_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  return {all.begin(), all.end()};
}

std::map<int, int> count(const std::vector<std::int32_t>& values) {
  std::map<int, int> counts;
  for (const int v : values) ++counts[v];
  return counts;
}

TEST(Draw, FollowsTheLawOfSuccessiveDraws) {
  // Odds 1 : 2 : 5. First draw k has odds_k / 8; then, for instance, P(2, 1) = 5/8 · 2/3.
  const std::vector<double> odds{1, 2, 5};
  std::map<std::pair<int, int>, int> seen;
  const int n = 40000;
  for (int k = 0; k < n; ++k) {
    Stream stream(7, "draw test", static_cast<std::uint64_t>(k));
    const auto drawn = draw_without_replacement(odds, 2, stream);
    ASSERT_EQ(drawn.size(), 2u);
    ++seen[{static_cast<int>(drawn[0]), static_cast<int>(drawn[1])}];
  }
  double chi_square = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      if (a == b) continue;
      const double rest = 8 - odds[static_cast<std::size_t>(a)];
      const double expected = n * odds[static_cast<std::size_t>(a)] / 8 * odds[static_cast<std::size_t>(b)] / rest;
      chi_square += std::pow(seen[{a, b}] - expected, 2) / expected;
    }
  }
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_LT(chi_square, 20.5);  // 0.999 of the law with 5 degrees of freedom
}

TEST(Draw, OddsOfZeroComeLast) {
  const std::vector<double> odds{0, 1, 0, 1e-300};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Stream stream(seed, "draw test");
    const auto drawn = draw_without_replacement(odds, 4, stream);
    EXPECT_EQ(drawn[0], 1u);
    EXPECT_EQ(drawn[1], 3u);
    EXPECT_EQ(std::set<std::uint32_t>(drawn.begin(), drawn.end()).size(), 4u);
  }
}

TEST(SplitUnbiased, KeepsUsersWhole) {
  const Rows rows = stairs(20);
  const Parts parts = split_unbiased(rows, {}, 3);
  EXPECT_EQ(numbers(parts), first_numbers(rows.size()));
  EXPECT_TRUE(parts.train.empty());
  const auto valid = count(parts.valid.user), test = count(parts.test.user);
  EXPECT_EQ(valid.size(), 6u);  // 0.3 of 20
  EXPECT_EQ(test.size(), 14u);
  for (const auto& [user, n] : valid) EXPECT_EQ(n, user + 1);
  EXPECT_TRUE(std::is_sorted(parts.test.timestamp.begin(), parts.test.timestamp.end()));
  for (std::size_t r = 0; r < parts.test.size(); ++r) {
    EXPECT_EQ(parts.test.item[r], rows.item[static_cast<std::size_t>(parts.test.timestamp[r])]);
    EXPECT_EQ(parts.test.label[r], rows.label[static_cast<std::size_t>(parts.test.timestamp[r])]);
  }
}

TEST(SplitUnbiased, SplitsRowsWhenAsked) {
  const Rows rows = stairs(20);  // 210 rows
  const Parts parts = split_unbiased(rows, {"rows", 0.3}, 3);
  EXPECT_EQ(parts.valid.size(), 63u);
  EXPECT_EQ(numbers(parts), first_numbers(rows.size()));
}

TEST(SplitUnbiased, DependsOnTheSeedAlone) {
  const Rows rows = stairs(20);
  EXPECT_EQ(split_unbiased(rows, {}, 3).valid.timestamp, split_unbiased(rows, {}, 3).valid.timestamp);
  EXPECT_NE(split_unbiased(rows, {}, 3).valid.timestamp, split_unbiased(rows, {}, 4).valid.timestamp);
}

TEST(SplitUnbiased, LeavesNoPartEmptyByRounding) {
  const Rows two = make_rows({{0, 0}, {5, 0}});
  EXPECT_EQ(split_unbiased(two, {"users", 0.01}, 1).valid.size(), 1u);
  EXPECT_EQ(split_unbiased(two, {"users", 0.99}, 1).test.size(), 1u);
  EXPECT_EQ(split_unbiased(two, {"users", 0}, 1).test.size(), 2u);
  EXPECT_EQ(split_unbiased(make_rows({{4, 2}}), {}, 1).test.size(), 1u);
}

TEST(SplitLog, RoundsPerUserAndLosesNothing) {
  const Rows rows = stairs(40);
  const Parts parts = split_log(rows, {}, 1);
  EXPECT_EQ(numbers(parts), first_numbers(rows.size()));
  auto train = count(parts.train.user), valid = count(parts.valid.user), test = count(parts.test.user);
  for (int u = 0; u < 40; ++u) {
    const int n = u + 1;
    EXPECT_EQ(test[u], static_cast<int>(0.2 * n + 0.5)) << n;
    EXPECT_EQ(valid[u], n < 2 ? 0 : static_cast<int>(0.1 * n + 0.5)) << n;
    EXPECT_GE(train[u], 1);
  }
  EXPECT_EQ(test[9], 2);  // 10 rows: 7, 1, 2
  EXPECT_EQ(valid[9], 1);
}

TEST(SplitLog, KeepsARowOfEveryUserInTrain) {
  SplitParams params;
  params.log_test_share = params.log_valid_share = 0.5;
  auto train = count(split_log(stairs(30), params, 1).train.user);
  EXPECT_EQ(train.size(), 30u);
}

TEST(SplitLog, LeansToRareItems) {
  // 400 users: all have items 0 … 4, and five of 50 rarer items each, so that frequencies are 400 and 40.
  std::vector<std::pair<int, int>> pairs;
  for (int u = 0; u < 400; ++u) {
    for (int i = 0; i < 5; ++i) pairs.emplace_back(u, i);
    for (int k = 0; k < 5; ++k) pairs.emplace_back(u, 5 + (u + 10 * k) % 50);
  }
  const Rows rows = make_rows(pairs);
  const auto rare = [](const Rows& part) {
    return std::count_if(part.item.begin(), part.item.end(), [](int i) { return i >= 5; }) /
           static_cast<double>(part.size());
  };
  // A user has 5 rows of odds 1/400 and 5 of odds 1/40: the first draw is rare with 10/11, the second at least 8/9.
  const Parts leaning = split_log(rows, {}, 1);
  EXPECT_NEAR(rare(leaning.test), (10.0 / 11 + 10.0 / 11 * 8 / 9 + 1.0 / 11 * 50 / 54) / 2, 0.03);
  SplitParams flat;
  flat.resample = false;
  EXPECT_NEAR(rare(split_log(rows, flat, 1).test), 0.5, 0.05);
  EXPECT_EQ(leaning.test_part, "resampled");
  EXPECT_EQ(split_log(rows, flat, 1).test_part, "biased");
}

TEST(Leaks, AreRemovedAndCounted) {
  Rows train = make_rows({{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}});
  const Rows valid = make_rows({{1, 0}}), test = make_rows({{0, 1}, {2, 0}});
  Rows untouched = train;
  EXPECT_EQ(remove_leaks(untouched, valid, test, true), 2);
  EXPECT_EQ(untouched.size(), 5u);
  EXPECT_EQ(remove_leaks(train, valid, test), 2);
  EXPECT_EQ(train.timestamp, (std::vector<std::int64_t>{0, 3, 4}));
  EXPECT_EQ(remove_leaks(train, valid, test), 0);
}

TEST(SetParts, WritesProvenance) {
  for (const bool keep : {false, true}) {
    Dataset data;
    set_parts(data, make_parts(stairs(4), make_rows({{0, 0}, {1, 3}, {3, 3}}), {}, 1), keep);
    EXPECT_EQ(data.train.size(), keep ? 10u : 8u);
    EXPECT_EQ(data.provenance.at("leaks_removed").as_int(), keep ? 0 : 2);
    EXPECT_EQ(data.provenance.find("leaks_kept") != nullptr, keep);
    EXPECT_EQ(data.provenance.at("test_part").as_string(), "unbiased");
    EXPECT_EQ(data.provenance.at("split").as_string(), "unbiased part by users, 0.3 valid");
    EXPECT_EQ(data.valid.size() + data.test.size(), 3u);
  }
}

TEST(SplitParams, DeclareTheirLimits) {
  SplitParams params;
  Params p;
  params.describe(p);
  EXPECT_THROW(p.set("split_by", "items"), UsageError);
  EXPECT_THROW(p.set("valid_share", "1"), UsageError);
  p.set("keep-leaks", "true");
  EXPECT_TRUE(params.keep_leaks);
}

}  // namespace
}  // namespace equipoise
