// Chances of lists: against enumeration of all lists, and the sums that must hold for any policy.
#include <gtest/gtest.h>

#include <numeric>

#include "core/error.h"
#include "policy/enumeration.h"

namespace equipoise {
namespace {

const char* const kPolicies[] = {"none",
                                 "epsilon=0.3",
                                 "epsilon=1e-6",
                                 "epsilon=1",
                                 "plackett-luce,epsilon=0",
                                 "plackett-luce,temperature=0.05,epsilon=0",
                                 "plackett-luce,temperature=0.05,epsilon=1e-5",
                                 "plackett-luce,temperature=20,epsilon=0.1",
                                 "plackett-luce,pool=4,epsilon=0.02",
                                 "plackett-luce,pool=4,temperature=0.1,epsilon=0"};

const std::vector<std::vector<float>> kScores = {
    {1.5f, 1.2f, 0.3f, 0.0f, -0.4f, -2.0f}, {3, 3, 3, 3, 3, 3}, {9, 1, 0.5f, -1, -4, -10}, {5, 5, 0, 0, -5, -5}};

std::vector<Recommended> ranked_of(const std::vector<float>& scores) {
  std::vector<Recommended> ranked;
  for (std::size_t i = 0; i < scores.size(); ++i) ranked.push_back({static_cast<std::int32_t>(7 * i % 13), scores[i]});
  return ranked;
}

void expect_relative(double got, double expected, const std::string& what) {
  EXPECT_NEAR(got, expected, 1e-9 * expected) << what;
}

TEST(Chances, AreThoseOfEnumeration) {
  PolicyRoom room;
  std::vector<Chances> chances;
  double smallest = 1;
  for (const char* text : kPolicies) {
    const ListPolicy policy(Policy::parse(text), 1);
    for (const auto& scores : kScores) {
      const std::vector<Recommended> ranked = ranked_of(scores);
      for (const std::size_t k : {std::size_t{1}, std::size_t{3}, std::size_t{6}}) {
        const auto lists = all_lists(policy.policy(), ranked, k);
        for (const auto& [list, chance] : lists) {
          if (chance == 0) continue;
          policy.chances(list, ranked, ranked.size(), room, chances);
          double joint = 1;
          for (std::size_t j = 0; j < list.size(); ++j) {
            const Chances exact = summed(lists, list, j);
            const std::string what = std::string(text) + " place " + std::to_string(j);
            expect_relative(chances[j].given_above, exact.given_above, what + " given above");
            expect_relative(chances[j].at_place, exact.at_place, what + " at place");
            expect_relative(chances[j].in_list, exact.in_list, what + " in list");
            joint *= chances[j].given_above;
            smallest = std::min(smallest, chances[j].in_list);
          }
          if (chance > 1e-300L) expect_relative(joint, static_cast<double>(chance), text);
        }
      }
    }
  }
  EXPECT_LT(smallest, 1e-60);  // tiny ones were among them
}

// Over all items of a pool: each place has one item, and the list has k.
TEST(Chances, SumToPlacesAndLists) {
  struct Case {
    std::size_t pool, k;
    double spread;
  };
  PlackettLuce pl;
  for (const Case& c : {Case{200, 10, 3}, Case{200, 10, 0}, Case{200, 10, 60}, Case{500, 50, 2}, Case{500, 50, 20},
                        Case{60, 50, 200}, Case{100, 30, 2}, Case{50, 50, 5}, Case{400, 120, 1}, Case{300, 1, 4}}) {
    Stream stream(3, "scores");
    std::vector<Recommended> ranked;
    for (std::size_t i = 0; i < c.pool; ++i) {
      ranked.push_back({static_cast<std::int32_t>(i), static_cast<float>(c.spread * stream.normal())});
    }
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    pl.pose(ranked, 1);
    std::vector<double> at_place(c.k);
    double in_list = 0;
    // Item i at place (i + shift) % k, in lists of k neighbours: in k shifts every item is once at every place.
    for (std::size_t shift = 0; shift < c.k; ++shift) {
      for (std::size_t first = 0; first < c.pool; first += c.k) {
        std::vector<std::int32_t> list(c.k, -1);
        for (std::size_t n = 0; n < c.k && first + n < c.pool; ++n) {
          list[(n + shift) % c.k] = ranked[first + n].item;
        }
        std::vector<PlacedChance> placed(c.k);
        pl.chances(list, placed);
        for (std::size_t j = 0; j < c.k; ++j) {
          at_place[j] += placed[j].at_place;
          if (shift == 0) in_list += placed[j].in_list;
        }
      }
      if (c.k * c.pool > 10'000) break;  // all places would take long
    }
    const std::string what = std::to_string(c.pool) + " " + std::to_string(c.k) + " " + std::to_string(c.spread);
    EXPECT_NEAR(in_list / static_cast<double>(c.k), 1, 1e-7) << what;
    for (std::size_t j = 0; j < c.k && c.k * c.pool <= 10'000; ++j)
      EXPECT_NEAR(at_place[j], 1, 1e-7) << what << " place " << j;
  }
}

TEST(Chances, OfEqualScoresAreThoseOfUniformLists) {
  PlackettLuce pl;
  const std::vector<Recommended> ranked = [] {
    std::vector<Recommended> out;
    for (std::int32_t i = 0; i < 300; ++i) out.push_back({i, 2.0f});
    return out;
  }();
  pl.pose(ranked, 0.5);
  std::vector<std::int32_t> list(40);
  std::iota(list.begin(), list.end(), 100);
  std::vector<PlacedChance> placed(40);
  pl.chances(list, placed);
  for (const PlacedChance& p : placed) {
    EXPECT_NEAR(p.at_place * 300, 1, 1e-7);
    EXPECT_NEAR(p.in_list * 300 / 40, 1, 1e-7);
  }
}

// An item that nearly always comes first, at the last place: its chance is tiny, and a product of ratios by hand.
TEST(Chances, OfRareEventsAreExact) {
  PlackettLuce pl;
  const std::vector<Recommended> ranked = {{0, 30.0f}, {1, 0.0f}, {2, 0.0f}, {3, 0.0f}};
  pl.pose(ranked, 1);
  std::vector<PlacedChance> placed(4);
  const std::vector<std::int32_t> list = {1, 2, 3, 0};
  pl.chances(list, placed);
  const double w = std::exp(30.0);
  expect_relative(placed[3].at_place, 6 / ((w + 3) * (w + 2) * (w + 1)), "last");
  expect_relative(placed[0].at_place, 1 / (w + 3), "first");
}

TEST(Policy, IsReadAndWritten) {
  for (const char* text :
       {"none", "epsilon=0.05", "plackett-luce,temperature=0.5,pool=200,epsilon=0.01", "epsilon=1e-06"}) {
    EXPECT_EQ(Policy::parse(text).text(), text);
  }
  EXPECT_EQ(Policy::parse("plackett-luce").text(), "plackett-luce,temperature=1,pool=200,epsilon=0.01");
  EXPECT_EQ(Policy::parse("plackett-luce, pool = 30").pool, 30);
  const auto message = [](const char* text) {
    try {
      Policy::parse(text, "--explore");
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message("epsilom=0.1"), "--explore: there is no policy 'epsilom'; did you mean epsilon?");
  EXPECT_EQ(message("epsilon=2"), "--explore: epsilon = 2 is out of range: from 0 up to 1");
  EXPECT_EQ(message("epsilon=0.1,pool=3"), "--explore: there is no parameter 'pool' here; known: epsilon");
  EXPECT_EQ(message("plackett-luce,pool"),
            "--explore: 'pool' of the policy 'plackett-luce,pool' is not written name=value");
  EXPECT_EQ(message("none=3"), "--explore: the policy 'none' has no parameters");
}

}  // namespace
}  // namespace equipoise
