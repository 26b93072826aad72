// Figures of personal lists against hand-computed ones, and the drawn users they are of.
#include "recommender/list_variety.h"

#include <algorithm>
#include <set>

#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

ListVariety counted(const std::vector<std::vector<std::int32_t>>& lists, std::int32_t catalogue = 20) {
  VarietyCount count(catalogue);
  for (const auto& items : lists) {
    std::vector<Recommended> list;
    for (const std::int32_t item : items) list.push_back({item, 0.0f});
    count.add(list);
  }
  return count.result();
}

TEST(ListVariety, IsComputedByHand) {
  // Overlaps of the three pairs: 1, 0, 1 of 2. So they differ by 1/2, 1, 1/2.
  const ListVariety v = counted({{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(v.lists, 3);
  EXPECT_EQ(v.items, 4);
  EXPECT_DOUBLE_EQ(v.difference, 2.0 / 3);
  EXPECT_EQ(v.most_listed, 1) << "item 2 is in as many lists, and comes later";
  EXPECT_EQ(v.most_lists, 2);
  EXPECT_DOUBLE_EQ(v.most_share(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(v.chance, 0.1);
  EXPECT_TRUE(v.one_for_most());
  EXPECT_FALSE(counted({{0, 1}, {1, 2}, {2, 3}}, 6).one_for_most()) << "a list holds a third of the catalogue";
}

TEST(ListVariety, EqualListsDifferByNothingAndOthersByEverything) {
  EXPECT_DOUBLE_EQ(counted({{4, 5}, {5, 4}, {4, 5}}).difference, 0);
  const ListVariety apart = counted({{0, 1}, {2, 3}, {4, 5}});
  EXPECT_DOUBLE_EQ(apart.difference, 1);
  EXPECT_EQ(apart.items, 6);
  EXPECT_FALSE(apart.one_for_most());
  EXPECT_FALSE(counted({{0}, {0}, {1}, {2}}).one_for_most()) << "half is not most";
}

TEST(ListVariety, ShortAndEmptyListsHaveFigures) {
  EXPECT_DOUBLE_EQ(counted({{3}, {3}}).difference, 0) << "equal, however short";
  const ListVariety none = counted({{}, {}});
  EXPECT_EQ(none.items, 0);
  EXPECT_EQ(none.most_listed, -1);
  EXPECT_TRUE(std::isnan(none.difference));
  EXPECT_FALSE(none.one_for_most());
  EXPECT_TRUE(std::isnan(counted({{1, 2}}).difference)) << "one list has nothing to differ from";
  EXPECT_FALSE(counted({{1, 2}}).one_for_most());
}

TEST(ListVariety, OfARecommenderIsThatOfItsLists) {
  const Dataset data = known_log(40, 25);
  const auto r = some_frozen({"base", "gmf"}, data);
  const std::vector<std::int32_t> users = {3, 8, 20};
  std::set<std::int32_t> items;
  double common = 0;
  std::vector<std::set<std::int32_t>> lists;
  for (const std::int32_t user : users) {
    lists.emplace_back();
    for (const Recommended& one : r->top_k(user, first(5, true), one_thread())) lists.back().insert(one.item);
    items.insert(lists.back().begin(), lists.back().end());
  }
  for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    for (const std::int32_t item : lists[static_cast<std::size_t>(a)]) {
      common += static_cast<double>(lists[static_cast<std::size_t>(b)].count(item));
    }
  }
  const ListVariety v = list_variety(*r, users, first(5, true), one_thread());
  EXPECT_EQ(v.items, std::ssize(items));
  EXPECT_NEAR(v.difference, 1 - common / 3 / 5, 1e-12);
}

TEST(ListVariety, UsersAreDrawnOnceAndAscend) {
  const Dataset data = known_log(40, 25);
  const auto r = some_frozen({"base", "gmf"}, data);
  EXPECT_EQ(std::ssize(users_for_lists(*r, 1000)),
            std::count_if(r->catalogue().users.rows.begin(), r->catalogue().users.rows.end(),
                          [](auto rows) { return rows > 0; }))
      << "users with training rows";
  const std::vector<std::int32_t> some = users_for_lists(*r, 10);
  EXPECT_EQ(some.size(), 10u);
  EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
  EXPECT_EQ(std::set<std::int32_t>(some.begin(), some.end()).size(), 10u);
  EXPECT_EQ(users_for_lists(*r, 10), some);
}

}  // namespace
}  // namespace equipoise::test
