// Groups of items by popularity.
#include "serve/popularity.h"

#include <gtest/gtest.h>

#include <numeric>

namespace equipoise {
namespace {

TEST(Popularity, TenthsAreOfEqualSizeAndTheMostPopularComeFirst) {
  std::vector<std::int32_t> rows(25);
  for (std::size_t item = 0; item < rows.size(); ++item) rows[item] = static_cast<std::int32_t>((item * 7) % 25);
  const Popularity groups(rows);
  std::array<int, kTenths> sizes{};
  std::array<std::int64_t, kTenths> sums{};
  for (std::size_t a = 0; a < rows.size(); ++a) {
    const auto item = static_cast<std::int32_t>(a);
    ++sizes[groups.tenth(item)];
    sums[groups.tenth(item)] += rows[a];
    for (std::size_t b = 0; b < rows.size(); ++b) {
      if (rows[a] > rows[b]) {
        EXPECT_LE(groups.tenth(item), groups.tenth(static_cast<std::int32_t>(b)));
      }
    }
  }
  for (const int size : sizes) EXPECT_TRUE(size == 2 || size == 3) << size;
  EXPECT_EQ(groups.rows(), sums);
}

TEST(Popularity, FewItemsAndEqualOnes) {
  const std::vector<std::int32_t> rows = {4, 4, 4};
  const Popularity groups(rows);
  EXPECT_EQ(groups.tenth(0), 0u);
  EXPECT_LT(groups.tenth(0), groups.tenth(1));
  EXPECT_EQ(std::accumulate(groups.rows().begin(), groups.rows().end(), std::int64_t{0}), 12);
}

}  // namespace
}  // namespace equipoise
