// Item pairs: the largest against brute force, the sampler's law by chi-square.
#include "balance/item_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace equipoise {
namespace {

std::vector<double> shares(std::size_t n, std::uint64_t seed, bool ties) {
  Stream stream(seed, "shares");
  std::vector<double> p(n);
  for (double& v : p) v = ties ? 1 + stream.below(3) : stream.uniform() + 0.01;
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& v : p) v /= total;
  return p;
}

TEST(ItemPairs, LargestEqualBruteForce) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<double> p = shares(9, seed, seed % 2 == 0);
    std::vector<double> all;
    for (std::size_t i = 0; i < 9; ++i)
      for (std::size_t j = i + 1; j < 9; ++j) all.push_back(p[i] + p[j]);
    std::sort(all.rbegin(), all.rend());
    for (const std::size_t count : {1, 5, 20, 36, 50}) {
      const std::vector<ItemPair> pairs = largest_pairs(p, count);
      ASSERT_EQ(pairs.size(), std::min<std::size_t>(count, 36));
      std::map<ItemPair, int> once;
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto [a, b] = pairs[k];
        EXPECT_LT(a, b);
        EXPECT_EQ(++once[pairs[k]], 1);
        EXPECT_DOUBLE_EQ(p[static_cast<std::size_t>(a)] + p[static_cast<std::size_t>(b)], all[k]);
      }
    }
  }
}

TEST(ItemPairs, LargestOfManyItemsNeedsNoEnumeration) {
  const std::vector<double> p = shares(1000000, 3, false);  // half a billion pairs times a thousand
  EXPECT_EQ(largest_pairs(p, 30).size(), 30U);
}

TEST(ItemPairs, SamplerFollowsItsLaw) {
  const std::vector<double> p = shares(7, 4, false);
  const PairSampler sampler(p);
  Stream stream(1, "test");
  std::map<ItemPair, double> seen;
  const int draws = 210000;
  for (int k = 0; k < draws; ++k) seen[sampler.draw(stream)] += 1;
  double chi = 0;
  for (std::int32_t i = 0; i < 7; ++i) {
    for (std::int32_t j = i + 1; j < 7; ++j) {
      const double expected = draws * (p[static_cast<std::size_t>(i)] + p[static_cast<std::size_t>(j)]) / 6;
      chi += std::pow(seen[{i, j}] - expected, 2) / expected;
    }
  }
  EXPECT_LT(chi, 45.3);  // the 0.1% point at 20 degrees of freedom
  EXPECT_GT(chi, 5.9);   // and not suspiciously good (0.1% below)
}

}  // namespace
}  // namespace equipoise
