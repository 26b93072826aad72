// Top-k for many users at once: the lists of one user after another to the last bit, at any number of threads.
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

using Lists = std::vector<std::vector<Recommended>>;

Lists at_once(const Recommender& r, const std::vector<std::int32_t>& users, std::size_t k, bool exclude_seen) {
  Lists out(users.size());
  std::size_t next = 0;
  r.top_k(users, k, exclude_seen, [&](std::size_t u, std::span<const Recommended> list) {
    EXPECT_EQ(u, next++) << "in the order of the users";
    out[u].assign(list.begin(), list.end());
  });
  EXPECT_EQ(next, users.size());
  return out;
}

void expect_same(const std::vector<Recommended>& got, const std::vector<Recommended>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t n = 0; n < got.size(); ++n) {
    EXPECT_EQ(got[n].item, expected[n].item) << "place " << n + 1;
    EXPECT_EQ(got[n].score, expected[n].score) << "place " << n + 1;
  }
}

// Several blocks of users and of items, an unknown user, and a user twice.
std::vector<std::int32_t> many_users(std::int32_t users) {
  std::vector<std::int32_t> out = {-1, 5};
  for (std::int32_t u = users; u-- > 0;) out.push_back(u);
  return out;
}

class ManyUsers : public ::testing::TestWithParam<Case> {};

TEST_P(ManyUsers, HaveTheListsOfOneAfterAnother) {
  // Several blocks where scores are products; where they are not, the path is that of one user.
  const bool product = GetParam().base == "gmf" && GetParam().method != "cbr";
  const std::int32_t count = product ? 400 : 20;
  const Dataset data = known_log(count, product ? 700 : 40);
  const std::vector<std::int32_t> users = many_users(count);
  Pool one(1), two(2), three(3);
  const auto r = some_recommender(GetParam(), data, one), by_two = some_recommender(GetParam(), data, two),
             by_three = some_recommender(GetParam(), data, three);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{10}, std::size_t{690}}) {
    const Lists lists = at_once(*r, users, k, true), of_two = at_once(*by_two, users, k, true),
                of_three = at_once(*by_three, users, k, true);
    for (std::size_t u = 0; u < users.size(); ++u) {
      SCOPED_TRACE(users[u]);
      if (u % 5 == 0) expect_same(lists[u], r->top_k(users[u], k, true));
      expect_same(of_two[u], lists[u]);
      expect_same(of_three[u], lists[u]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, ManyUsers, ::testing::ValuesIn(cases()), case_name);

std::unique_ptr<Recommender> gmf(const Dataset& data, Pool& pool) {
  return some_recommender({"base", "gmf"}, data, pool);
}

TEST(ManyUsersOfGmf, EqualScoresStandInTheOrderOfTheirIds) {
  Dataset data = known_log(20, 60, 5, false);
  for (int i = 0; i < 600; ++i) data.items.add("cold " + std::to_string(i));  // all score alike: b_u + b
  Pool pool(2);
  const auto r = gmf(data, pool);
  const std::vector<std::int32_t> users = many_users(20);
  const Lists lists = at_once(*r, users, 200, true);
  for (std::size_t u = 0; u < users.size(); ++u) expect_same(lists[u], r->top_k(users[u], 200, true));
}

TEST(ManyUsersOfGmf, ThoseOfWhomNothingIsKnownHaveTheListOfOne) {
  Dataset data = known_log(20, 700, 5, false);
  for (int u = 0; u < 5; ++u) data.users.add("cold " + std::to_string(u));
  Pool pool(1);
  const auto r = gmf(data, pool);
  for (Parameter& p : r->networks().at("f").parameters()) {
    if (p.name() == "f/item.bias") std::fill(p.values().begin(), p.values().end(), 0.0f);  // all items score alike
  }
  const std::vector<std::int32_t> users = many_users(25);
  for (const bool exclude_seen : {true, false}) {
    const Lists lists = at_once(*r, users, 10, exclude_seen);
    for (std::size_t u = 0; u < users.size(); ++u) expect_same(lists[u], r->top_k(users[u], 10, exclude_seen));
    EXPECT_EQ(lists[2].front().score, lists[2].back().score);  // user 24
  }
}

TEST(ManyUsersOfGmf, WhatWasKeptForLaterCallsServesThemAll) {
  const Dataset data = known_log(30, 700, 5, false);
  Pool pool(1);
  const auto r = gmf(data, pool);
  r->freeze();
  const std::vector<std::int32_t> users = many_users(30);
  for (const std::size_t k : {std::size_t{3}, std::size_t{0}, std::size_t{40}, std::size_t{1000}}) {
    for (const bool exclude_seen : {true, false}) {
      const Lists lists = at_once(*r, users, k, exclude_seen);
      for (std::size_t u = 0; u < users.size(); ++u) expect_same(lists[u], r->top_k(users[u], k, exclude_seen));
    }
  }
}

TEST(ManyUsersOfGmf, BiasesThatCancelDoNotHideItems) {
  const Dataset data = known_log(70, 900);
  Pool pool(1);
  const auto r = gmf(data, pool);
  // Logits of about 1 made of numbers of about 10⁵: rounding by itself decides places.
  for (Parameter& p : r->networks().at("f").parameters()) {
    const float change = p.name() == "f/user.bias" ? 1e5f : p.name() == "f/b" ? -1e5f : 0.0f;
    for (float& v : p.values()) v += change;
  }
  const std::vector<std::int32_t> users = many_users(70);
  const Lists lists = at_once(*r, users, 5, false);
  for (std::size_t u = 0; u < users.size(); ++u) expect_same(lists[u], r->top_k(users[u], 5, false));
}

}  // namespace
}  // namespace equipoise::test
