// Groups of items: by features, by popularity, by number.
#include "data/item_groups.h"

#include <gtest/gtest.h>

#include <limits>

namespace equipoise {
namespace {

using Numbers = std::vector<std::int32_t>;

Numbers of(const Groups& groups, std::int32_t item) {
  const auto codes = groups.of(item);
  return {codes.begin(), codes.end()};
}

TEST(ItemGroups, EveryValueOfAFeatureIsAGroup) {
  Features features{3, {}, {}};
  features.categorical.push_back({"genre", true, {"a", "b"}, {0, 2, 2, 3}, {0, 1, 1}});
  features.continuous.push_back({"price", {5.0f, std::numeric_limits<float>::quiet_NaN(), 1.0f}});
  const Groups groups = groups_of_features(features, 3);
  EXPECT_EQ(groups.count, 12U);
  EXPECT_EQ(count_feature_groups(features), 12U);
  EXPECT_EQ(of(groups, 0), (Numbers{0, 1, 7}));  // the second of two values is in the sixth tenth
  EXPECT_EQ(of(groups, 1), Numbers{});
  EXPECT_EQ(of(groups, 2), (Numbers{1, 2}));
}

TEST(ItemGroups, TenthsByPopularityAreOfEqualSize) {
  Rows log;
  for (std::int32_t i = 0; i < 20; ++i) {
    for (std::int32_t n = 0; n <= 19 - i; ++n) log.user.push_back(n), log.item.push_back(i);
  }
  const Groups groups = groups_of_popularity(log, 21);  // the last item has no rows
  for (std::int32_t i = 0; i < 20; ++i) EXPECT_EQ(of(groups, i), Numbers{(19 - i) / 2});
  EXPECT_EQ(of(groups, 20), Numbers{});
}

TEST(ItemGroups, ByNumberAndByItem) {
  EXPECT_EQ(of(groups_of_items(3), 2), Numbers{2});
  const Groups groups = groups_by_number(Numbers{1, -1, 0}, 2);
  EXPECT_EQ(of(groups, 0), Numbers{1});
  EXPECT_EQ(of(groups, 1), Numbers{});
  EXPECT_EQ(of(groups, 2), Numbers{0});
}

}  // namespace
}  // namespace equipoise
