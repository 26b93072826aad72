// Top-k for many users at once: the lists of one user after another to the last bit, at any number of threads.
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

using Lists = std::vector<std::vector<Recommended>>;

Lists at_once(const Recommender& r, const std::vector<std::int32_t>& users, std::size_t k, bool exclude_seen,
              int threads = 1) {
  Lists out(users.size());
  std::size_t next = 0;
  Pool pool(threads);
  r.top_k(users, first(k, exclude_seen), pool, [&](std::size_t u, std::span<const Recommended> list) {
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
  const auto r = some_frozen(GetParam(), data);
  const auto plain = some_recommender(GetParam(), data);  // scores every item, whatever it is asked for
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{10}, std::size_t{690}}) {
    const Lists lists = at_once(*r, users, k, true), of_two = at_once(*r, users, k, true, 2),
                of_three = at_once(*r, users, k, true, 3);
    for (std::size_t u = 0; u < users.size(); ++u) {
      SCOPED_TRACE(users[u]);
      if (u % 5 == 0)
        expect_same(lists[u], (product ? plain.get() : r.get())->top_k(users[u], first(k, true), one_thread()));
      expect_same(of_two[u], lists[u]);
      expect_same(of_three[u], lists[u]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, ManyUsers, ::testing::ValuesIn(cases()), case_name);

std::unique_ptr<Recommender> gmf(const Dataset& data) { return some_recommender({"base", "gmf"}, data); }

/// Every list against the one that scoring every item gives.
void expect_plain_lists(std::unique_ptr<Recommender> plain, const std::vector<std::int32_t>& users, std::size_t k,
                        bool exclude_seen) {
  Lists expected;
  for (const std::int32_t user : users) expected.push_back(plain->top_k(user, first(k, exclude_seen), one_thread()));
  const auto frozen = Recommender::frozen(std::move(plain), one_thread());
  const Lists lists = at_once(*frozen, users, k, exclude_seen);
  for (std::size_t u = 0; u < users.size(); ++u) {
    expect_same(lists[u], expected[u]);
    expect_same(frozen->top_k(users[u], first(k, exclude_seen), one_thread()), expected[u]);
  }
}

TEST(ManyUsersOfGmf, EqualScoresComeInTheOrderOfTheirIds) {
  Dataset data = known_log(20, 60, 5, false);
  for (int i = 0; i < 600; ++i) data.items.add("cold " + std::to_string(i));  // all score alike: b_u + b
  expect_plain_lists(gmf(data), many_users(20), 200, true);
}

TEST(ManyUsersOfGmf, ThoseOfWhomNothingIsKnownHaveTheListOfOne) {
  Dataset data = known_log(20, 700, 5, false);
  for (int u = 0; u < 5; ++u) data.users.add("cold " + std::to_string(u));
  for (const bool exclude_seen : {true, false}) {
    auto r = gmf(data);
    for (TrainedArray& p : r->networks().at("f").arrays()) {
      if (p.name() == "f/item.bias") std::fill(p.values().begin(), p.values().end(), 0.0f);  // all items score alike
    }
    const auto list = r->top_k(24, first(10, exclude_seen), one_thread());
    EXPECT_EQ(list.front().score, list.back().score);
    expect_plain_lists(std::move(r), many_users(25), 10, exclude_seen);
  }
}

TEST(ManyUsersOfGmf, ListsOfEveryLengthAreThoseOfScoringEveryItem) {
  const Dataset data = known_log(30, 700, 5, false);
  for (const std::size_t k : {std::size_t{3}, std::size_t{0}, std::size_t{40}, std::size_t{1000}}) {
    for (const bool exclude_seen : {true, false}) expect_plain_lists(gmf(data), many_users(30), k, exclude_seen);
  }
}

TEST(ManyUsersOfGmf, BiasesThatCancelDoNotHideItems) {
  const Dataset data = known_log(70, 900);
  auto r = gmf(data);
  // Logits of about 1 made of numbers of about 10⁵: rounding by itself decides places.
  for (TrainedArray& p : r->networks().at("f").arrays()) {
    const float change = p.name() == "f/user.bias" ? 1e5f : p.name() == "f/b" ? -1e5f : 0.0f;
    for (float& v : p.values()) v += change;
  }
  expect_plain_lists(std::move(r), many_users(70), 5, false);
}

}  // namespace
}  // namespace equipoise::test
