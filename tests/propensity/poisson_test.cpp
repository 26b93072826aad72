// Poisson factorisation of exposure: it gives each user and item its rows, and finds who is shown what.
#include "propensity/poisson.h"

#include <gtest/gtest.h>

#include "logs.h"

namespace equipoise::test {
namespace {

/// Users are shown items of their own kind nine times in ten; the last user and the last item have no rows.
Dataset two_kinds() {
  Dataset data = empty_log("two kinds", 81, 31);
  Stream stream(2, "two kinds");
  for (int u = 0; u < 80; ++u) {
    for (int n = 0; n < 5 + u % 10; ++n) {
      const bool own = stream.uniform() < 0.9;
      add_row(data.train, u, 2 * static_cast<int>(stream.below(15)) + (own ? u % 2 : 1 - u % 2), true);
    }
  }
  return data;
}

TEST(Poisson, GivesEveryoneTheirRowsAndFindsTheKinds) {
  const Dataset data = two_kinds();
  const PoissonFactors f = factorise_exposure(data.train, 81, 31, 4, 60, 1);
  std::vector<double> rows(81, 0.0);
  for (const std::int32_t u : data.train.user) rows[static_cast<std::size_t>(u)] += 1;
  double own = 0, other = 0;
  for (std::size_t u = 0; u < 80; ++u) {
    double expected = 0;
    for (std::size_t i = 0; i < 30; ++i) {
      expected += f.rate(u, i);
      (u % 2 == i % 2 ? own : other) += f.rate(u, i);
    }
    EXPECT_NEAR(expected, rows[u], 0.12 * rows[u]) << "up to what the prior holds back";
  }
  EXPECT_GT(own, 4 * other);
  EXPECT_EQ(f.rate(80, 3), 0);
  EXPECT_EQ(f.rate(3, 30), 0);
}

TEST(Poisson, DependsOnTheLogAndTheSeedAlone) {
  const Dataset data = two_kinds();
  const PoissonFactors one = factorise_exposure(data.train, 81, 31, 4, 10, 1);
  EXPECT_EQ(one.user, factorise_exposure(data.train, 81, 31, 4, 10, 1).user);
  EXPECT_NE(one.user, factorise_exposure(data.train, 81, 31, 4, 10, 2).user);
  // Users and items without rows change nothing about the others.
  PoissonFactors more = factorise_exposure(data.train, 90, 40, 4, 10, 1);
  more.user.resize(one.user.size());
  more.item.resize(one.item.size());
  EXPECT_EQ(more.user, one.user);
  EXPECT_EQ(more.item, one.item);
}

}  // namespace
}  // namespace equipoise::test
