// The alias table draws by the law it was given.
#include "core/alias.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/statistics.h"

namespace equipoise {
namespace {

using test::chi_square;
using test::chi_square_limit;

void expect_law(const std::vector<double>& odds, std::size_t draws, std::uint64_t seed) {
  const AliasTable table(odds);
  EXPECT_EQ(table.size(), odds.size());
  Stream stream(seed, "alias");
  std::vector<std::size_t> seen(odds.size(), 0);
  for (std::size_t k = 0; k < draws; ++k) ++seen.at(table.draw(stream));
  std::size_t possible = 0;
  for (std::size_t k = 0; k < odds.size(); ++k) {
    possible += odds[k] > 0;
    if (odds[k] == 0) {
      EXPECT_EQ(seen[k], 0U) << "drawn with odds 0: " << k;
    }
  }
  if (possible > 1) {
    EXPECT_LT(chi_square(seen, odds), chi_square_limit(possible));
  }
}

TEST(Alias, DrawsByTheLaw) {
  expect_law({1}, 100, 1);
  expect_law({1, 1}, 10000, 2);
  expect_law({1, 2, 3, 4}, 50000, 3);
  expect_law({1e-3, 1, 1000}, 2000000, 4);
  expect_law({1e300, 2e300, 3e300}, 20000, 5);  // need not sum to 1, and may be large
  expect_law({1e-300, 2e-300}, 20000, 6);
  std::vector<double> popularity(200);
  for (std::size_t k = 0; k < popularity.size(); ++k) popularity[k] = 1.0 / static_cast<double>(k + 1);
  expect_law(popularity, 300000, 7);
}

TEST(Alias, WhatHasNoOddsIsNeverDrawn) {
  expect_law({0, 1}, 10000, 1);
  expect_law({1, 0}, 10000, 2);
  expect_law({0, 0, 5, 0, 0}, 10000, 3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {  // zeros among odds whose shares are not exact
    Stream stream(seed, "odds");
    std::vector<double> odds(1 + stream.below(300));
    for (double& odd : odds) odd = stream.below(3) == 0 ? stream.uniform() : 0;
    odds[stream.below(static_cast<std::uint32_t>(odds.size()))] = 0.1;
    expect_law(odds, 30000, seed);
  }
  std::vector<double> equal(1000, 0);
  for (std::size_t k = 0; k < equal.size(); k += 3) equal[k] = 0.1;
  expect_law(equal, 100000, 4);
}

TEST(Alias, RefusesWhatIsNoLaw) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> bad = {{}, {0}, {0, 0}, {1, -0.5}, {1, nan}, {1, inf}, {1e308, 1e308}};
  for (const auto& odds : bad) EXPECT_THROW(AliasTable{odds}, std::logic_error) << odds.size();
}

}  // namespace
}  // namespace equipoise
