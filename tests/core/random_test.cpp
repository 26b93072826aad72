// Random streams: named, independent, unbiased, and the same numbers for ever.
#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "core/hash.h"
#include "core/statistics.h"

namespace equipoise {
namespace {

using test::chi_square;
using test::chi_square_limit;

std::vector<std::uint32_t> first(Stream stream, std::size_t n) {
  std::vector<std::uint32_t> out(n);
  for (std::uint32_t& v : out) v = stream.next();
  return out;
}

// Philox 4×32 with 10 rounds as its authors define it.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xD2511F53U} * c[0], q = std::uint64_t{0xCD9E8D57U} * c[2];
    c = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(q),
         static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p)};
    k = {k[0] + 0x9E3779B9U, k[1] + 0xBB67AE85U};
  }
  return c;
}

TEST(Random, AStreamIsPhiloxOfItsName) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0})[0], 0x6627E8D5U);  // the published answer
  const std::uint64_t key = hash64("drawn pairs", 7);
  Stream stream(7, "drawn pairs", 3, 11);
  for (std::uint32_t block = 0; block < 5; ++block) {
    const auto expected =
        philox({block, 0, 3, 11}, {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
    for (const std::uint32_t value : expected) EXPECT_EQ(stream.next(), value);
  }
}

// Pinned: if one of these ever changes, seeds of old runs no longer mean the same.
TEST(Random, GoldenNumbers) {
  EXPECT_EQ(first(Stream(1, "golden"), 6),
            (std::vector<std::uint32_t>{0x41485E50U, 0x3E649117U, 0x526F8BC1U, 0x29247561U, 0xB52A372BU, 0x28982B87U}));
  EXPECT_EQ(first(Stream(1, "golden", 2, 3), 4),
            (std::vector<std::uint32_t>{0x5CCC62DDU, 0x990EDE2CU, 0xFF2C103BU, 0x452738D0U}));
  EXPECT_EQ(first(Stream(1, "golden", 1ULL << 40, 5ULL << 33), 4),
            (std::vector<std::uint32_t>{0x68CA9729U, 0xBD283028U, 0x0A0B8C86U, 0xBC6DEDBAU}));
  Stream stream(42, "golden kinds");
  EXPECT_EQ(stream.uniform(), 0.4009964872082401);
  EXPECT_EQ(stream.uniform_float(), 0.899128556f);
  EXPECT_EQ(stream.below(1000), 31U);
  EXPECT_NEAR(stream.normal(), -0.34615827721307874, 1e-15);
  EXPECT_NEAR(stream.normal(), 0.16327852142086791, 1e-15);
  std::vector<int> order(10);
  std::iota(order.begin(), order.end(), 0);
  stream.shuffle(std::span(order));
  EXPECT_EQ(order, (std::vector<int>{9, 1, 7, 5, 4, 8, 0, 6, 2, 3}));
}

TEST(Random, TheSameNameGivesTheSameNumbers) {
  EXPECT_EQ(first(Stream(5, "x", 1, 2), 1000), first(Stream(5, "x", 1, 2), 1000));
}

TEST(Random, EveryPartOfTheNameMatters) {
  std::set<std::vector<std::uint32_t>> seen;
  std::size_t names = 0;
  const std::uint64_t far[] = {0, 1, 2, 1ULL << 31, 1ULL << 32, 1ULL << 33, 1ULL << 48, 1ULL << 49, 1ULL << 63, ~0ULL};
  for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32, ~0ULL}) {
    for (const char* purpose : {"", "a", "b", "ab", "a longer purpose than sixteen bytes"}) {
      for (const std::uint64_t a : far) {
        for (const std::uint64_t b : far) {
          seen.insert(first(Stream(seed, purpose, a, b), 4));
          ++names;
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), names);
}

// Neighbouring names, as epochs and batches are: their first numbers together look like one good stream.
TEST(Random, NeighbouringNamesAreIndependent) {
  constexpr std::size_t kCells = 16;
  std::vector<std::size_t> pairs(kCells * kCells, 0), singles(kCells, 0);
  std::uint32_t before = 0;
  for (std::uint64_t a = 0; a < 300; ++a) {
    for (std::uint64_t b = 0; b < 100; ++b) {
      const std::uint32_t value = Stream(9, "batch", a, b).next() >> 28;
      ++singles[value];
      ++pairs[before * kCells + value];
      before = value;
    }
  }
  EXPECT_LT(chi_square(singles, std::vector<double>(kCells, 1)), chi_square_limit(kCells));
  EXPECT_LT(chi_square(pairs, std::vector<double>(kCells * kCells, 1)), chi_square_limit(kCells * kCells));
  double correlation = 0;
  Stream one(1, "seed"), two(2, "seed");
  for (int k = 0; k < 100000; ++k) correlation += (one.uniform() - 0.5) * (two.uniform() - 0.5) * 12;
  EXPECT_LT(std::abs(correlation / 100000), 5 / std::sqrt(100000.0));
}

TEST(Random, BelowIsUniform) {
  Stream stream(3, "below");
  for (const std::uint32_t n : {1U, 2U, 3U, 7U, 10U, 100U, 1000U}) {
    std::vector<std::size_t> seen(n, 0);
    for (std::size_t k = 0; k < std::max<std::size_t>(20000, 20 * n); ++k) {
      const std::uint32_t value = stream.below(n);
      ASSERT_LT(value, n);
      ++seen[value];
    }
    if (n > 1) {
      EXPECT_LT(chi_square(seen, std::vector<double>(n, 1)), chi_square_limit(n)) << n;
    }
  }
}

// With n = 3·2³⁰ a plain remainder would give the lowest third twice as often as each of the others.
TEST(Random, BelowHasNoBiasForLargeRanges) {
  Stream stream(4, "below");
  constexpr std::uint32_t n = 3U << 30;
  std::vector<std::size_t> thirds(3, 0), parity(3, 0);
  for (int k = 0; k < 60000; ++k) {
    const std::uint32_t value = stream.below(n);
    ASSERT_LT(value, n);
    ++thirds[value >> 30];
    ++parity[value % 3];  // a product without rejection would favour some remainders
  }
  EXPECT_LT(chi_square(thirds, {1, 1, 1}), chi_square_limit(3));
  EXPECT_LT(chi_square(parity, {1, 1, 1}), chi_square_limit(3));
}

TEST(Random, UniformNumbersFillTheUnitInterval) {
  Stream stream(5, "uniform");
  std::vector<std::size_t> doubles(50, 0), floats(50, 0);
  for (int k = 0; k < 50000; ++k) {
    const double d = stream.uniform();
    const float f = stream.uniform_float();
    ASSERT_TRUE(d >= 0 && d < 1 && f >= 0 && f < 1);
    ++doubles[static_cast<std::size_t>(d * 50)];
    ++floats[static_cast<std::size_t>(f * 50)];
  }
  EXPECT_LT(chi_square(doubles, std::vector<double>(50, 1)), chi_square_limit(50));
  EXPECT_LT(chi_square(floats, std::vector<double>(50, 1)), chi_square_limit(50));
}

TEST(Random, NormalMoments) {
  Stream stream(6, "normal");
  constexpr int kDraws = 400000;
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0, neighbours = 0, before = 0;
  std::size_t beyond2 = 0;
  for (int k = 0; k < kDraws; ++k) {
    const double x = stream.normal();
    m1 += x, m2 += x * x, m3 += x * x * x, m4 += x * x * x * x;
    neighbours += x * before;
    before = x;
    beyond2 += std::abs(x) > 2;
  }
  const double root = std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(m1 / kDraws, 0, 5 / root);
  EXPECT_NEAR(m2 / kDraws, 1, 5 * std::sqrt(2.0) / root);
  EXPECT_NEAR(m3 / kDraws, 0, 5 * std::sqrt(15.0) / root);
  EXPECT_NEAR(m4 / kDraws, 3, 5 * std::sqrt(96.0) / root);
  EXPECT_NEAR(neighbours / kDraws, 0, 5 / root);  // the pairs of one circle are independent
  EXPECT_NEAR(static_cast<double>(beyond2) / kDraws, 0.0455003, 5 * std::sqrt(0.0455 * 0.9545) / root);
}

TEST(Random, ShuffleIsAPermutationAndEveryOneIsAsLikely) {
  std::map<std::vector<int>, std::size_t> seen;
  for (std::uint64_t k = 0; k < 24000; ++k) {
    std::vector<int> order = {0, 1, 2, 3};
    Stream(7, "shuffle", k).shuffle(std::span(order));
    ++seen[order];
  }
  ASSERT_EQ(seen.size(), 24U);
  std::vector<std::size_t> counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  EXPECT_LT(chi_square(counts, std::vector<double>(24, 1)), chi_square_limit(24));

  std::vector<int> many(1000), sorted(1000);
  std::iota(many.begin(), many.end(), 0);
  sorted = many;
  Stream(8, "shuffle").shuffle(std::span(many));
  EXPECT_NE(many, sorted);
  EXPECT_TRUE(std::is_permutation(many.begin(), many.end(), sorted.begin()));
  std::vector<int> none, one = {5};
  Stream(8, "shuffle").shuffle(std::span(none));
  Stream(8, "shuffle").shuffle(std::span(one));
  EXPECT_EQ(one, std::vector<int>{5});
}

TEST(Random, SkippedNormalsAreThoseThatWouldHaveBeenDrawn) {
  for (const int before : {0, 1, 2, 3, 5}) {
    for (const std::uint64_t count : {0U, 1U, 2U, 3U, 64U, 1001U}) {
      Stream skipped(7, "skipped"), drawn(7, "skipped");
      if (before == 3) skipped.next(), drawn.next();  // within a block
      for (int k = 0; k < before; ++k) skipped.normal(), drawn.normal();
      skipped.skip_normals(count);
      for (std::uint64_t k = 0; k < count; ++k) drawn.normal();
      for (int k = 0; k < 3; ++k) EXPECT_EQ(skipped.normal(), drawn.normal()) << before << " then " << count;
      EXPECT_EQ(skipped.next(), drawn.next()) << before << " then " << count;
    }
  }
}

}  // namespace
}  // namespace equipoise
