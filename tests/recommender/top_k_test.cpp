// Exact top-k against brute force, ties, seen items, cold and unknown users, and scores under another numbering.
#include "recommender/aligned.h"
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

/// All items by score, then id; sorted whole.
std::vector<Recommended> brute_force(const Recommender& r, const Dataset& data, std::int32_t user, bool exclude_seen) {
  std::vector<Recommended> all;
  for (std::int32_t item = 0; item < r.items().size(); ++item) {
    bool seen = false;
    for (std::size_t t = 0; t < data.train.size(); ++t) {
      seen = seen || (data.train.user[t] == user && data.train.item[t] == item);
    }
    if (!(exclude_seen && seen)) all.push_back({item, score_one(r, user, item)});
  }
  std::sort(all.begin(), all.end(), [&](const Recommended& a, const Recommended& b) {
    if (a.score != b.score) return a.score > b.score;
    return r.items().name(a.item) < r.items().name(b.item);
  });
  return all;
}

void expect_same(const std::vector<Recommended>& got, std::vector<Recommended> expected, std::size_t k) {
  expected.resize(std::min(k, expected.size()));
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t n = 0; n < got.size(); ++n) {
    EXPECT_EQ(got[n].item, expected[n].item) << "place " << n + 1;
    EXPECT_EQ(got[n].score, expected[n].score) << "to the last bit, place " << n + 1;
  }
}

class TopK : public ::testing::TestWithParam<Case> {};

TEST_P(TopK, ListsHaveTheScoresOfTheirPairsToTheLastBit) {
  const Dataset data = known_log(40, 300);
  Pool pool(2);
  const auto frozen = some_frozen(GetParam(), data);
  for (const std::int32_t user : {0, 7, 39, -1}) {
    for (const Recommended& r : frozen->top_k(user, first(20, false), pool)) {
      EXPECT_EQ(r.score, score_one(*frozen, user, r.item)) << "user " << user << " item " << r.item;
    }
  }
}

TEST_P(TopK, FrozenScoresEqualThePlainPath) {
  const Dataset data = known_log(40, 300);
  Pool pool(2);
  const auto plain = some_recommender(GetParam(), data);
  const auto frozen = some_frozen(GetParam(), data);
  for (const std::int32_t user : {0, 7, 39, -1}) {
    for (const Recommended& r : frozen->top_k(user, first(300, false), pool)) {
      const double expected = score_one(*plain, user, r.item);
      EXPECT_NEAR(r.score, expected, 1e-5 * std::max(1.0, std::abs(expected))) << "user " << user << " item " << r.item;
    }
  }
}

TEST_P(TopK, IsThatOfBruteForce) {
  const Dataset data = known_log(40, 25);
  Pool pool(2);
  const auto r = some_recommender(GetParam(), data);
  for (const std::int32_t user : {0, 7, 23, 39, -1}) {
    for (const bool exclude_seen : {false, true}) {
      const std::vector<Recommended> all = brute_force(*r, data, user, exclude_seen);
      for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{10}, std::size_t{1000}}) {
        expect_same(r->top_k(user, first(k, exclude_seen), pool), all, k);
      }
    }
  }
}

TEST_P(TopK, AnotherNumberingOfTheSameIdsHasTheSameScores) {
  const Dataset data = known_log(40, 25);
  Pool pool(1);
  const auto r = some_recommender(GetParam(), data);
  Dataset other;
  for (std::int32_t u = data.users.size(); u-- > 0;) other.users.add(data.users.name(u));
  other.users.add("somebody new");
  for (std::int32_t i = 0; i < data.items.size(); i += 2) other.items.add(data.items.name(i));
  other.items.add("something new");
  for (std::int32_t i = 1; i < data.items.size(); i += 2) other.items.add(data.items.name(i));
  const Aligned aligned(*r, other, pool);
  EXPECT_EQ(aligned.unknown_users(), 1);
  EXPECT_EQ(aligned.unknown_items(), 1);
  std::vector<std::int32_t> users, items;
  std::vector<float> expected;
  for (std::int32_t u = 0; u < other.users.size(); ++u) {
    for (std::int32_t i = 0; i < other.items.size(); ++i) {
      users.push_back(u);
      items.push_back(i);
      expected.push_back(score_one(*r, data.users.find(other.users.name(u)), data.items.find(other.items.name(i))));
    }
  }
  std::vector<float> got(users.size());
  aligned.score(users, items, got);
  for (std::size_t k = 0; k < got.size(); ++k) ASSERT_EQ(got[k], expected[k]);
}

INSTANTIATE_TEST_SUITE_P(Table, TopK, ::testing::ValuesIn(cases()), case_name);

TEST(TopKTies, StandInTheOrderOfTheirIds) {
  Dataset data = empty_log("ties", 2, 12);  // i0 … i11: as texts i10 and i11 come before i2
  for (std::int32_t i = 0; i < 12; ++i) add_row(data.train, 0, i, i % 2 == 0);
  add_row(data.train, 1, 5, true);
  Pool pool(1);
  const auto r = some_recommender({"popularity", ""}, data);
  std::vector<std::string> names;
  for (const Recommended& best : r->top_k(1, first(6, false), pool)) names.push_back(r->items().name(best.item));
  EXPECT_EQ(names, (std::vector<std::string>{"i5", "i0", "i1", "i10", "i11", "i2"}));
  EXPECT_TRUE(r->top_k(0, first(6, true), pool).empty()) << "everything was seen";
}

TEST(Seen, HoldsEachUsersTrainingItems) {
  Dataset data = empty_log("seen", 3, 5);
  for (const std::int32_t item : {4, 0, 2}) add_row(data.train, 2, item, true);
  add_row(data.train, 0, 1, false);
  const Seen seen = seen_of(data);
  EXPECT_TRUE(std::ranges::equal(seen.of(0), std::vector<std::int32_t>{1}));
  EXPECT_TRUE(seen.of(1).empty());
  EXPECT_TRUE(std::ranges::equal(seen.of(2), std::vector<std::int32_t>{0, 2, 4}));
  EXPECT_TRUE(seen.of(-1).empty());
}

class Cold : public ::testing::TestWithParam<Case> {
 protected:
  /// Two users without rows: one has features, and the other the same ones or others.
  static Dataset log(bool features, bool same) {
    Dataset data = known_log(30, 8, 5, false);
    data.users.add("cold one");
    data.users.add("cold other");
    if (!features) return data;
    add_features(data);
    CategoricalField& colour = data.user_features.categorical[0];
    colour = {"colour", false, {"red", "green"}, {0}, {}};
    for (std::int32_t u = 0; u < data.users.size(); ++u) {
      colour.codes.push_back(u == data.users.size() - 1 && !same ? 1 : 0);
      colour.offsets.push_back(u + 1);
    }
    CategoricalField& likes = data.user_features.categorical[1];
    likes = {"likes", true, {"a"}, std::vector<std::int32_t>(static_cast<std::size_t>(data.users.size()) + 1, 0), {}};
    for (ContinuousField& field : data.user_features.continuous) {
      std::fill(field.values.end() - 2, field.values.end(), 0.5f);
    }
    return data;
  }
  static std::int32_t one(const Dataset& data) { return data.users.find("cold one"); }
  static std::int32_t other(const Dataset& data) { return data.users.find("cold other"); }
};

TEST_P(Cold, UsersWithFeaturesDifferByThemAlone) {
  if (GetParam().base.empty()) GTEST_SKIP() << "reads no features";
  for (const bool same : {false, true}) {
    const Dataset data = log(true, same);
    const auto r = some_recommender(GetParam(), data);
    EXPECT_EQ(r->knows_user(one(data)), Known::features_only);
    for (std::int32_t item = 0; item < data.items.size(); ++item) {
      EXPECT_EQ(score_one(*r, one(data), item) == score_one(*r, other(data), item), same);
    }
  }
}

TEST_P(Cold, UsersWithoutFeaturesHaveTheItemsSideOnly) {
  const Dataset data = log(false, false);
  const auto r = some_recommender(GetParam(), data);
  EXPECT_EQ(r->knows_user(one(data)), Known::nothing);
  EXPECT_EQ(r->knows_user(0), Known::trained);
  EXPECT_EQ(r->knows_item(data.items.size() - 1), Known::nothing);
  EXPECT_EQ(r->knows_item(-1), Known::nothing);
  bool items_differ = false;
  for (std::int32_t item = 0; item < data.items.size(); ++item) {
    EXPECT_EQ(score_one(*r, one(data), item), score_one(*r, -1, item)) << "as somebody never heard of";
    EXPECT_EQ(score_one(*r, one(data), item), score_one(*r, other(data), item));
    items_differ = items_differ || score_one(*r, -1, item) != score_one(*r, -1, 0);
  }
  EXPECT_TRUE(items_differ);
  EXPECT_TRUE(std::isfinite(score_one(*r, -1, -1)));
}

INSTANTIATE_TEST_SUITE_P(Table, Cold, ::testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace equipoise::test
