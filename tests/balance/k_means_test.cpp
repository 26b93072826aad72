// k-means: clusters that are far apart are found, and the same rows give the same clusters.
#include "balance/k_means.h"

#include <gtest/gtest.h>

#include <set>

#include "core/random.h"

namespace equipoise {
namespace {

TEST(KMeans, FindsClustersThatAreFarApart) {
  Floats memory;
  Stream stream(1, "rows");
  for (int r = 0; r < 90; ++r) {
    memory.push_back(static_cast<float>(10 * (r % 3) + stream.normal()));
    memory.push_back(static_cast<float>(-7 * (r % 3) + stream.normal()));
  }
  const Matrix rows{memory.data(), 90, 2};
  const std::vector<std::int32_t> cluster = k_means(rows, 3, 5);
  for (std::size_t r = 0; r < 90; ++r) EXPECT_EQ(cluster[r], cluster[r % 3]) << r;
  EXPECT_EQ(std::set<std::int32_t>(cluster.begin(), cluster.end()).size(), 3U);
  EXPECT_EQ(cluster, k_means(rows, 3, 5));
}

TEST(KMeans, HasNoMoreClustersThanDifferentRows) {
  Floats memory = {1, 2, 1, 2, 1};
  const std::vector<std::int32_t> cluster = k_means({memory.data(), 5, 1}, 4, 1);
  EXPECT_EQ(std::set<std::int32_t>(cluster.begin(), cluster.end()).size(), 2U);
  EXPECT_EQ(cluster[0], cluster[2]);
  EXPECT_NE(cluster[0], cluster[1]);
  EXPECT_TRUE(k_means({memory.data(), 0, 1}, 4, 1).empty());
}

}  // namespace
}  // namespace equipoise
