// Lists as they are drawn: their frequencies against the chances that come with them, and draws made again.
#include <gtest/gtest.h>

#include <cstdlib>

#include "policy/enumeration.h"

namespace equipoise {
namespace {

// EQUIPOISE_FULL=1 draws 10⁶ lists of each case; a tenth of that otherwise.
std::size_t lists_to_draw() { return std::getenv("EQUIPOISE_FULL") != nullptr ? 1'000'000 : 100'000; }

struct Counter {
  double expected = 0;
  double seen = 0;
};

// Pearson's Σ (seen − expected)² / expected, cells of fewer than 5 put together; as a standard normal by
// Wilson-Hilferty.
double surprise(const std::map<std::string, Counter>& cells) {
  double chi = 0, few_expected = 0, few_seen = 0;
  int freedom = -1;
  const auto add = [&](double expected, double seen) {
    if (expected > 0) chi += (seen - expected) * (seen - expected) / expected, ++freedom;
  };
  for (const auto& [name, cell] : cells) {
    if (cell.expected < 5)
      few_expected += cell.expected, few_seen += cell.seen;
    else
      add(cell.expected, cell.seen);
  }
  if (few_expected >= 1) add(few_expected, few_seen);
  if (freedom <= 0) return chi;
  const double d = freedom;
  return (std::cbrt(chi / d) - (1 - 2 / (9 * d))) / std::sqrt(2 / (9 * d));
}

struct World {
  std::vector<Recommended> ranked;
  std::vector<std::int32_t> eligible;  // the same items
  std::vector<std::int32_t> left_out;  // of all below 12
};

// Twelve items; some are excluded, and a filter leaves every third.
World world(bool excluded, bool filtered) {
  World out;
  for (std::int32_t item = 0; item < 12; ++item) {
    const bool in = !(excluded && item % 4 == 1) && !(filtered && item % 3 != 0);
    if (in)
      out.eligible.push_back(item);
    else
      out.left_out.push_back(item);
  }
  for (const std::int32_t item : out.eligible) {
    out.ranked.push_back({item, static_cast<float>((item * 5) % 7) * 0.4f});
  }
  std::stable_sort(out.ranked.begin(), out.ranked.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return out;
}

class Draws : public testing::TestWithParam<std::tuple<const char*, bool, bool>> {};

TEST_P(Draws, HaveTheChancesThatComeWithThem) {
  const auto& [text, excluded, filtered] = GetParam();
  const World w = world(excluded, filtered);
  const ListPolicy policy(Policy::parse(text), 7);
  const std::size_t k = 3, draws = lists_to_draw();
  PolicyRoom room;
  List list;
  std::vector<Chances> chances;
  std::map<std::string, Counter> places, members, lists;
  // Chances of every item and place do not depend on the draw: taken from the first list that shows them.
  for (std::size_t n = 0; n < draws; ++n) {
    const EligibleItems eligible = n % 2 == 0 ? EligibleItems(w.eligible) : EligibleItems(12, w.left_out);
    policy.draw("request " + std::to_string(n), w.ranked, eligible, k, room, list, chances);
    ASSERT_EQ(list.size(), std::min(k, w.eligible.size()));
    double joint = 1;
    std::string whole;
    for (std::size_t j = 0; j < list.size(); ++j) {
      ASSERT_TRUE(std::find(w.eligible.begin(), w.eligible.end(), list[j]) != w.eligible.end());
      const auto count = [&](std::map<std::string, Counter>& cells, const std::string& name, double chance) {
        Counter& cell = cells[name];
        cell.expected = chance * static_cast<double>(draws);
        cell.seen += 1;
      };
      count(places, std::to_string(j) + ":" + std::to_string(list[j]), chances[j].at_place);
      count(members, std::to_string(list[j]), chances[j].in_list);
      joint *= chances[j].given_above;
      whole += std::to_string(list[j]) + " ";
      if (j + 1 == list.size()) count(lists, whole, joint);
    }
  }
  // Lists that never came are one cell more.
  double expected = 0;
  for (const auto& [name, cell] : lists) expected += cell.expected;
  if (const double never = static_cast<double>(draws) - expected; never > 1) lists["never"].expected = never;
  EXPECT_LT(surprise(lists), 3.5) << text;
  for (const auto& [cells, what] : {std::pair{&places, "place"}, std::pair{&members, "in the list"}}) {
    for (const auto& [name, cell] : *cells) {
      const double p = cell.expected / static_cast<double>(draws);
      const double spread = std::sqrt(cell.expected * std::max(0.0, 1 - p));
      EXPECT_NEAR(cell.seen, cell.expected, 4.5 * spread + 1e-6) << text << " " << what << " " << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Draws,
                         testing::Combine(testing::Values("none", "epsilon=0.2", "epsilon=1",
                                                          "plackett-luce,temperature=0.7,epsilon=0",
                                                          "plackett-luce,temperature=0.5,pool=5,epsilon=0.1"),
                                          testing::Bool(), testing::Bool()));

TEST(Draw, IsMadeAgainByItsName) {
  const World w = world(false, false);
  const ListPolicy policy(Policy::parse("plackett-luce"), 11), other(Policy::parse("plackett-luce"), 12);
  PolicyRoom room;
  List a, b, c, d;
  std::vector<Chances> chances;
  int differ_by_request = 0, differ_by_seed = 0;
  for (int n = 0; n < 50; ++n) {
    const std::string request = "r" + std::to_string(n);
    policy.draw(request, w.ranked, EligibleItems(12, {}), 4, room, a, chances);
    policy.draw("x" + request, w.ranked, EligibleItems(12, {}), 4, room, b, chances);
    policy.draw(request, w.ranked, EligibleItems(w.eligible), 4, room, c, chances);
    other.draw(request, w.ranked, EligibleItems(12, {}), 4, room, d, chances);
    EXPECT_EQ(a, c);
    differ_by_request += a != b ? 1 : 0;
    differ_by_seed += a != d ? 1 : 0;
  }
  EXPECT_GT(differ_by_request, 25);
  EXPECT_GT(differ_by_seed, 25);
}

TEST(Draw, OfMoreThanThereIsGivesAll) {
  const World w = world(true, true);
  PolicyRoom room;
  List list;
  std::vector<Chances> chances;
  for (const char* text : {"none", "epsilon=0.5", "plackett-luce"}) {
    ListPolicy(Policy::parse(text), 1).draw("r", w.ranked, EligibleItems(w.eligible), 40, room, list, chances);
    EXPECT_EQ(list.size(), w.eligible.size());
    for (const Chances& c : chances) EXPECT_NEAR(c.in_list, 1, 1e-12);
    ListPolicy(Policy::parse(text), 1)
        .draw("r", {}, EligibleItems(std::span<const std::int32_t>{}), 40, room, list, chances);
    EXPECT_TRUE(list.empty());
  }
}

TEST(EligibleItems, AreNumberedWithoutThoseLeftOut) {
  const std::vector<std::int32_t> left_out = {0, 3, 4, 9};
  const EligibleItems eligible(10, left_out);
  std::vector<std::int32_t> all;
  for (std::size_t n = 0; n < eligible.size(); ++n) all.push_back(eligible.at(n));
  EXPECT_EQ(all, (std::vector<std::int32_t>{1, 2, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace equipoise
