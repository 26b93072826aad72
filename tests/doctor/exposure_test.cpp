// Concentration, shuffles and the two tests of exposure: by hand, by enumeration, and how often they cry wolf.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/draw.h"
#include "data/simulate/simulate.h"
#include "doctor/exposure_bias.h"
#include "logs.h"

namespace equipoise {
namespace {

using test::add_row;
using test::empty_log;

TEST(ConcentrationOfExposure, ByHand) {
  const std::vector<double> rows = {0, 1, 2, 3, 4, 0, 0, 0, 0, 10};
  const Concentration c = concentration(rows);
  EXPECT_DOUBLE_EQ(c.top_10_percent, 0.5);
  EXPECT_DOUBLE_EQ(c.top_1_percent, 0.5);  // at least one item
  EXPECT_EQ(c.never_shown, 5u);
  EXPECT_DOUBLE_EQ(c.tenths[0], 0.5);
  EXPECT_DOUBLE_EQ(c.tenths[1], 0.2);
  EXPECT_DOUBLE_EQ(c.tenths[9], 0);
  // Ascending 0×5, 1, 2, 3, 4, 10 with factors 2r − 11: 1·1 + 3·2 + 5·3 + 7·4 + 9·10 = 140, over 10·20.
  EXPECT_NEAR(c.gini, 0.7, 1e-12);
}

ShownSets sets_of(const std::vector<std::vector<int>>& lists, int items) {
  Rows rows;
  for (std::size_t u = 0; u < lists.size(); ++u) {
    for (const int i : lists[u]) add_row(rows, static_cast<std::int32_t>(u), i, true);
  }
  return {rows, static_cast<std::int32_t>(lists.size()), items};
}

TEST(Shuffles, KeepEveryCountAndRepeatNoPair) {
  ShownSets sets = sets_of({{0, 1, 2, 3}, {1}, {}, {2, 3, 4, 5, 6}, {0, 6}}, 7);
  const std::vector<double> counts = sets.item_counts();
  const auto before = sets.items_of;
  Stream stream(3, "test");
  bool changed = false;
  for (int sweep = 0; sweep < 200; ++sweep) {
    trade(sets, stream);
    changed = changed || sets.items_of != before;
    ASSERT_EQ(sets.item_counts(), counts);
    for (std::size_t u = 0; u < sets.users(); ++u) {
      const auto list = sets.of(u);
      ASSERT_TRUE(std::is_sorted(list.begin(), list.end()));
      ASSERT_EQ(std::adjacent_find(list.begin(), list.end()), list.end());
    }
  }
  EXPECT_TRUE(changed);
}

TEST(Shuffles, EveryArrangementComesUpEquallyOften) {
  // Three users with one, one and two of three items, items shown once, once and twice. By hand: the user of two has
  // {0,1} (then both others have 2), {0,2} or {1,2} (then the others share the rest in two ways): 5 arrangements.
  ShownSets sets = sets_of({{0}, {2}, {1, 2}}, 3);
  std::map<std::vector<std::int32_t>, int> seen;
  Stream stream(5, "test");
  constexpr int kSweeps = 20000;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int k = 0; k < 4; ++k) trade(sets, stream);
    ++seen[sets.items_of];
  }
  ASSERT_EQ(seen.size(), 5u);
  for (const auto& [arrangement, times] : seen) EXPECT_NEAR(times, kSweeps / 5.0, 260);  // 4.6 standard deviations
}

TEST(ItemUniformityTest, ByHand) {
  // Two users with 2 of 4 items each, counts 2, 2, 0, 0: Σ(T_i − 1)² = 4; v = 2·½·½·4/3 = 2/3; X² = 6. Each item is as
  // common again only if both users have the same two of the 6 pairs of items: p = 1/6.
  const ItemUniformity found = item_uniformity(sets_of({{0, 1}, {0, 1}}, 4), 1);
  EXPECT_NEAR(found.statistic, 6, 1e-12);
  EXPECT_EQ(found.items_present, 2u);
  EXPECT_EQ(found.method, "monte-carlo");
  EXPECT_NEAR(found.p_value, 1.0 / 6, 0.04);
  // What chance gives is v·3 = 2 of the 4: √((4 − 2)/4) ÷ 1.
  EXPECT_NEAR(found.excess_spread, std::sqrt(0.5), 1e-12);
}

TEST(ItemUniformityTest, WhereEveryoneSeesEverythingThereIsNothingToTest) {
  EXPECT_EQ(item_uniformity(sets_of({{0, 1}, {0, 1}}, 2), 1).p_value, 1);
}

/// Users are shown `length` different items: user u item i with odds e^{strength·taste}, where taste is the item's own
/// (popularity) or agrees with the sign of the user's only feature.
enum class Taste { of_items, of_users };
Dataset drawn_log(Taste taste, double strength, std::uint64_t seed, int users = 400, int items = 40, int length = 6) {
  Dataset data = empty_log("drawn", users, items);
  data.user_features = {users, {}, {{"x", {}}, {"noise", {}}}};
  for (int u = 0; u < users; ++u) {
    Stream stream(seed, "user", static_cast<std::uint64_t>(u));
    const double x = stream.normal();
    data.user_features.continuous[0].values.push_back(static_cast<float>(x));
    data.user_features.continuous[1].values.push_back(static_cast<float>(stream.normal()));
    std::vector<double> odds;
    for (int i = 0; i < items; ++i) {
      const double side = i % 2 == 0 ? 1 : -1;
      odds.push_back(std::exp(strength * side * (taste == Taste::of_items ? 1 : x > 0 ? 1 : -1)));
    }
    for (const std::uint32_t i : draw_without_replacement(odds, static_cast<std::size_t>(length), stream)) {
      add_row(data.train, u, static_cast<std::int32_t>(i), stream.below(2) == 1);
    }
  }
  return data;
}

ExposureBiasParams quick() {
  ExposureBiasParams params;
  params.shuffles = 99;
  return params;
}

TEST(ExposureBiasTest, AUniformLogIsSeldomCalledBiased) {
  int alarms = 0, items = 0, users = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const ExposureBias found = exposure_bias(drawn_log(Taste::of_items, 0, seed), quick(), seed);
    alarms += found.biased();
    items += found.items.p_value < 0.05;
    users += found.users.p_value < 0.05;
  }
  EXPECT_LE(alarms, 5);
  EXPECT_LE(items, 8);
  EXPECT_LE(users, 8);
  RecordProperty("alarms", alarms), RecordProperty("items", items), RecordProperty("users", users);
}

TEST(ExposureBiasTest, ItsPValuesAreUniformWhereItemsDifferButUsersDoNot) {
  // Popularity alone must not pass for user dependence.
  int alarms = 0;
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const ExposureBias found = exposure_bias(drawn_log(Taste::of_items, 0.8, seed, 200), quick(), seed);
    EXPECT_TRUE(found.by_item());
    alarms += found.users.p_value < 0.05;
    sum += found.users.p_value;
  }
  EXPECT_LE(alarms, 9);
  EXPECT_NEAR(sum / 60, 0.5, 0.13);
}

TEST(ExposureBiasTest, StrongBiasIsAlwaysFound) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ExposureBias by_item = exposure_bias(drawn_log(Taste::of_items, 0.5, seed), quick(), seed);
    EXPECT_TRUE(by_item.biased() && by_item.by_item()) << seed;
    const ExposureBias by_user = exposure_bias(drawn_log(Taste::of_users, 0.5, seed), quick(), seed);
    EXPECT_TRUE(by_user.biased() && by_user.by_user()) << seed;
    EXPECT_LE(by_user.users.find("features_between_items")->p_value, 0.01) << seed;
  }
}

TEST(ExposureBiasTest, WithoutFeaturesTheOtherItemsTell) {
  Dataset data = drawn_log(Taste::of_users, 0.7, 4);
  data.user_features = {};
  const ExposureBias found = exposure_bias(data, quick(), 4);
  EXPECT_FALSE(found.users.features_known);
  EXPECT_EQ(found.users.find("features_between_items"), nullptr);
  EXPECT_EQ(found.users.tests.size(), 2u);
  EXPECT_LE(found.users.find("other_items_between_items")->p_value, 0.01);
}

TEST(ExposureBiasTest, FollowsAlphaOfTheSimulator) {
  SimulateParams params;
  params.users = 3000;
  double last = 1e9;
  for (const double alpha : {0.0, 0.1, 0.3, 0.5, 0.7, 1.0}) {
    params.alpha = alpha;
    const ExposureBias found = exposure_bias(simulate(params), quick(), 1);
    EXPECT_EQ(found.biased(), alpha < 1) << "alpha " << alpha << ", p " << found.p_value;
    EXPECT_LT(found.items.excess_spread, last) << "alpha " << alpha;
    last = found.items.excess_spread;
  }
  EXPECT_LT(last, 0.02);
}

}  // namespace
}  // namespace equipoise
