// Off-policy estimators on lists that are computed by hand: values, intervals, overlap, and the check of chances.
#include "eval/off_policy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "eval/ridge.h"

namespace equipoise {
namespace {

// Three lists of two users: two items, one, one.
LoggedLists three_lists() { return {2, {0, 0, 1}, {0, 2, 3, 4}, {1, 0, 1, 1}}; }
PolicyTerms some_terms() { return {{2, 0.5, 0, 3}, {0.5, 0.25, 0.5, 0.75}, {0.6, 0.3, 0.9}, {0.6, 0.3, 0.9}, {}}; }

double value_of(const char* estimator, double most_weight = 100) {
  return off_policy(estimator, three_lists(), some_terms(), most_weight).value;
}

TEST(OffPolicy, IsWhatOneComputesByHand) {
  EXPECT_NEAR(value_of("direct"), (0.6 + 0.3 + 0.9) / 3, 1e-15);
  EXPECT_NEAR(value_of("ips"), (2.0 + 0 + 0 + 3) / 3, 1e-15);
  EXPECT_NEAR(value_of("snips"), 5.0 / 5.5 * 4 / 3, 1e-15);
  const double corrections = 2 * 0.5 + 0.5 * -0.25 + 0 + 3 * 0.25;
  EXPECT_NEAR(value_of("dr"), (1.8 + corrections) / 3, 1e-15);
  EXPECT_NEAR(value_of("switch-dr", 2), (1.8 + corrections - 3 * 0.25) / 3, 1e-15);
  EXPECT_NEAR(logged_value(three_lists()).value, 1, 1e-15);
  EXPECT_THROW(value_of("dm"), std::exception);
}

// The error of a mean of lists that come in clusters: √(U/(U−1) Σ (S_u − V n_u)²) ÷ lists.
TEST(OffPolicy, ErrorsAreOverUsers) {
  const OffPolicyEstimate ips = off_policy("ips", three_lists(), some_terms(), 100);
  const double v = 5.0 / 3, a = 2 - 2 * v, b = 3 - v;
  EXPECT_NEAR(ips.standard_error, std::sqrt(2 * (a * a + b * b)) / 3, 1e-12);
  EXPECT_NEAR((ips.high - ips.value) / ips.standard_error, 12.706, 1e-3) << "Student's with one degree of freedom";
  const OffPolicyEstimate none = difference(ips, ips);
  EXPECT_EQ(none.value, 0);
  EXPECT_EQ(none.standard_error, 0);
}

// The ratio's influence against what leaving out a little of a user changes.
TEST(OffPolicy, InfluenceOfTheRatioIsItsDerivative) {
  LoggedLists lists = three_lists();
  const PolicyTerms terms = some_terms();
  const OffPolicyEstimate whole = off_policy("snips", lists, terms, 100);
  // Twice the same lists with one user counted again: the value moves by about influence / 1 of a copy in n.
  const int copies = 2000;
  LoggedLists many{2 * copies + 1, {}, {0}, {}};
  PolicyTerms many_terms;
  const auto add = [&](std::size_t from, std::int32_t as) {
    for (std::size_t l = 0; l < 3; ++l) {
      if (lists.user[l] != static_cast<std::int32_t>(from)) continue;
      many.user.push_back(as);
      for (std::size_t r = lists.begin[l]; r < lists.begin[l + 1]; ++r) {
        many.label.push_back(lists.label[r]), many_terms.weight.push_back(terms.weight[r]);
      }
      many.begin.push_back(many.label.size());
    }
  };
  for (int c = 0; c < copies; ++c) add(0, 2 * c), add(1, 2 * c + 1);
  add(1, 2 * copies);
  const double moved = off_policy("snips", many, many_terms, 100).value - whole.value;
  EXPECT_NEAR(moved * copies, whole.influence[1], 2e-3 * std::abs(whole.influence[1]) + 1e-4);
}

TEST(OffPolicy, SaysHowManyMoreListsItWouldTake) {
  OffPolicyEstimate d;
  d.value = 0.1, d.standard_error = 0.1;
  EXPECT_NEAR(more_lists(d, 1000), 1000 * (2.801585 * 2.801585 - 1), 1);
  d.value = 1;
  EXPECT_EQ(more_lists(d, 1000), 0);
  d.value = 0;
  EXPECT_TRUE(std::isinf(more_lists(d, 1000)));
}

TEST(OffPolicy, RefusesByNameWhereOverlapIsMissing) {
  LoggedLists lists{100, {}, {0}, {}};
  PolicyTerms terms;
  for (std::int32_t u = 0; u < 100; ++u) {
    lists.user.push_back(u), lists.label.push_back(1), lists.begin.push_back(lists.label.size());
    terms.weight.push_back(u % 2);  // the other half of what it shows was never shown
  }
  EXPECT_TRUE(overlap_of(lists, terms).refusal.starts_with("missing overlap"));
  EXPECT_NEAR(overlap_of(lists, terms).effective_sample, 50, 1e-9);
  for (double& w : terms.weight) w *= 2;
  EXPECT_EQ(overlap_of(lists, terms).refusal, "");
  for (std::size_t u = 0; u < 100; ++u) terms.weight[u] = u < 5 ? 20 : 0;
  EXPECT_TRUE(overlap_of(lists, terms).refusal.starts_with("too little overlap"));
  std::fill(terms.weight.begin(), terms.weight.end(), 0);
  EXPECT_TRUE(overlap_of(lists, terms).refusal.starts_with("no overlap"));
}

// With chance ε the list is one of 50 items at random, else item 0. Rightly logged chances are accepted, chances of
// another ε are not, and where nobody explores nothing can be told.
TEST(OffPolicy, ChancesAreCheckedByTheirInverses) {
  const auto check = [](double epsilon, double said, std::uint64_t seed, int n) {
    Stream stream(seed, "lists");
    LoggedLists lists{0, {}, {0}, {}};
    std::vector<double> chance;
    for (int l = 0; l < n; ++l) {
      const bool explored = stream.uniform() < epsilon;
      const bool first = !explored || stream.below(50) == 0;
      lists.user.push_back(l), lists.label.push_back(0), lists.begin.push_back(lists.label.size());
      chance.push_back(first ? 1 - said + said / 50 : said / 50);
    }
    lists.users = static_cast<std::size_t>(n);
    return check_chances(lists, chance, std::vector<double>(static_cast<std::size_t>(n), 50));
  };
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) alarms += check(0.02, 0.02, seed, 1000).wrong ? 1 : 0;
  EXPECT_LE(alarms, 5);  // 20 explored lists each
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_TRUE(check(0.1, 0.2, seed, 3000).wrong);
    EXPECT_TRUE(check(0.2, 0.1, seed, 3000).wrong);
    EXPECT_FALSE(check(0.001, 0.001, seed, 1000).can_tell);
  }
}

TEST(Ridge, SolvesTheNormalEquations) {
  Ridge ridge(3, 0.5);
  const std::vector<std::vector<double>> x = {{1, 2, 0}, {1, -1, 1}, {1, 0.5, 2}, {1, 3, -1}};
  const std::vector<double> y = {1, 0, 2, -1};
  for (std::size_t r = 0; r < 4; ++r) ridge.add(x[r], y[r]);
  const std::vector<double> b = ridge.fit();
  for (std::size_t i = 0; i < 3; ++i) {  // X'(y − X b) = shrinkage
    double left = 0;
    for (std::size_t r = 0; r < 4; ++r) left += x[r][i] * (y[r] - x[r][0] * b[0] - x[r][1] * b[1] - x[r][2] * b[2]);
    EXPECT_NEAR(left, i == 0 ? 0 : 0.5 * b[i], 1e-12);
  }
}

}  // namespace
}  // namespace equipoise
