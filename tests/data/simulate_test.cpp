// The simulator: sizes, the law of exposure and feedback, its truth, and what its parameters do.
#include "data/simulate/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "core/error.h"
#include "core/stopwatch.h"
#include "data/simulate/world.h"
#include "data/temp_folder.h"
#include "data/text/csv.h"

namespace equipoise {
namespace {

using test::TempFolder;

struct WorldSummary {
  double positive = 0;           // share over all pairs
  double within_user = 0;        // mean over users of the variance of the label over all items
  double widest_odds_ratio = 0;  // over users, of their largest to their smallest exposure odds
};

WorldSummary summarise(const SimulateParams& params) {
  SimulatedWorld world(params);
  WorldSummary out;
  for (int u = 0; u < params.users; ++u) {
    world.move_to(u);
    double sum = 0;
    for (int j = 0; j < params.items; ++j) sum += world.label(j);
    const double mean = sum / params.items;
    out.positive += mean / params.users;
    out.within_user += mean * (1 - mean) / params.users;
    const auto& odds = world.exposure_odds();
    const auto [low, high] = std::minmax_element(odds.begin(), odds.end());
    out.widest_odds_ratio = std::max(out.widest_odds_ratio, *high / *low);
  }
  return out;
}

double positive_share(const Rows& rows) {
  return std::accumulate(rows.label.begin(), rows.label.end(), 0.0) / static_cast<double>(rows.size());
}

SimulateParams small() {
  SimulateParams params;
  params.users = 300;
  params.items = 12;
  params.width = 8;
  return params;
}

TEST(Simulate, DefaultsHaveThePapersSize) {
  const Stopwatch watch;
  const Dataset data = simulate({});
  EXPECT_LT(watch.seconds(), 5);  // about 0.1 s when nothing else runs
  EXPECT_EQ(data.users.size(), 10000);
  EXPECT_EQ(data.items.size(), 32);
  EXPECT_EQ(data.train.size(), 50000u);
  EXPECT_EQ(data.valid.size() + data.test.size(), 16667u);
  EXPECT_EQ(data.user_features.continuous.size(), 32u);
  EXPECT_EQ(data.item_features.continuous.front().values.size(), 32u);
  EXPECT_EQ(data.provenance.at("leaks_removed").as_int(), 0);
  EXPECT_EQ(data.provenance.at("users").as_int(), 10000);
  EXPECT_EQ(data.provenance.at("beta").as_double(), 0.5);
  EXPECT_EQ(data.provenance.at("split_by").as_string(), "users");
  EXPECT_EQ(data.protocol, "test-items");
  check_trainable(data);
}

TEST(Simulate, FeedbackIsBalancedAtTheDefaults) {
  double within = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SimulateParams params;
    params.seed = seed;
    const WorldSummary all = summarise(params);
    const double train = positive_share(simulate(params).train);
    SCOPED_TRACE(testing::Message() << "seed " << seed << " positive " << all.positive << " in train " << train
                                    << " within-user variance " << all.within_user);
    EXPECT_GE(all.positive, 0.45);
    EXPECT_LE(all.positive, 0.57);
    EXPECT_GE(train, 0.45);
    EXPECT_LE(train, 0.57);
    EXPECT_GE(all.within_user, 0.12);
    within += all.within_user / 10;
  }
  EXPECT_NEAR(within, 0.138, 0.008);
}

TEST(Simulate, ThePrintedFormulaIsDegenerate) {
  SimulateParams params;
  params.literal = true;
  const WorldSummary all = summarise(params);
  EXPECT_LT(all.within_user, 0.006);
  EXPECT_GT(all.within_user, 0.0003);
  EXPECT_GT(all.positive, 0.8);
}

TEST(Simulate, AlphaOneGivesEveryItemTheSameOdds) {
  SimulateParams params;
  EXPECT_GT(summarise(params).widest_odds_ratio, 3);
  params.alpha = 1;
  EXPECT_LT(summarise(params).widest_odds_ratio, 1.2);  // 10,000 × 32 draws of noise within ±5 standard deviations
  params.noise = 0;
  EXPECT_EQ(summarise(params).widest_odds_ratio, 1);
}

TEST(Simulate, EquationsHoldForOnePair) {
  // Features of the world put through the printed equations by hand, without the separated sums.
  const SimulateParams params = small();
  SimulatedWorld world(params);
  const double mean = 1 / std::sqrt(2 * M_PI) - 0.25;
  for (int u = 0; u < 20; ++u) {
    world.move_to(u);
    for (int j = 0; j < params.items; ++j) {
      std::vector<float> both = world.user().own.values;
      both.insert(both.end(), world.item(j).own.values.begin(), world.item(j).own.values.end());
      double x1 = 0, x2 = 0;
      for (const float v : both) {
        if (v > 0) x1 += v - 0.5 - mean;
        if (v < 0) x2 += v + 0.5 + mean;
        if (v > 0) x2 += mean;
        if (v < 0) x1 -= mean;
      }
      // σ(x1 + x1 x2) + βz − ½ and 1 − σ(…): z from the one, checked against the other to within the noise.
      const double z = (world.preference(j) + 0.5 - 1 / (1 + std::exp(-(x1 + x1 * x2)))) / params.beta;
      const double raw = x1 + 2 * params.width * mean;
      const double odds = world.exposure_odds()[static_cast<std::size_t>(j)];
      EXPECT_NEAR(std::log(1 / odds - 1), 0.25 * raw + 0.5 + 0.5 * z, 0.11) << u << " " << j;
    }
  }
}

TEST(Simulate, TrainFollowsTheOddsAndTestIsUniform) {
  SimulateParams params;
  params.users = 30000;
  params.items = 8;
  params.list_length = 1;
  params.width = 4;
  const Dataset data = simulate(params);
  // With lists of one, P(item) for a user is r_ij / Σ r; summed over users that is what train should hold.
  std::vector<double> expected(8), train(8), unbiased(8);
  SimulatedWorld world(params);
  for (int u = 0; u < params.users; ++u) {
    world.move_to(u);
    const auto& odds = world.exposure_odds();
    const double sum = std::accumulate(odds.begin(), odds.end(), 0.0);
    for (std::size_t j = 0; j < 8; ++j) expected[j] += odds[j] / sum;
  }
  for (const int i : data.train.item) ++train[static_cast<std::size_t>(i)];
  for (const int i : data.valid.item) ++unbiased[static_cast<std::size_t>(i)];
  for (const int i : data.test.item) ++unbiased[static_cast<std::size_t>(i)];
  double uniform_chi_square = 0;
  for (std::size_t j = 0; j < 8; ++j) {
    // A third of the users hold one item out of train, which pulls slightly to even.
    EXPECT_NEAR(train[j] / expected[j], 1, 0.06) << j;
    uniform_chi_square += std::pow(unbiased[j] - 1250, 2) / 1250;
  }
  EXPECT_EQ(data.valid.size() + data.test.size(), 10000u);
  EXPECT_LT(uniform_chi_square, 24.3);  // 0.999 of the law with 7 degrees of freedom
  EXPECT_GT(*std::max_element(expected.begin(), expected.end()), 4000);
}

TEST(Simulate, ListsHaveNoPairTwice) {
  const Dataset data = simulate(small());
  std::set<std::pair<int, int>> pairs;
  std::map<int, int> lists;
  for (const Rows* rows : {&data.train, &data.valid, &data.test}) {
    for (std::size_t r = 0; r < rows->size(); ++r) EXPECT_TRUE(pairs.emplace(rows->user[r], rows->item[r]).second);
  }
  for (const int u : data.train.user) ++lists[u];
  EXPECT_EQ(lists.size(), 300u);
  for (const auto& [user, n] : lists) EXPECT_EQ(n, 5);
  EXPECT_EQ(data.train.size(), 3 * (data.valid.size() + data.test.size()));
  std::set<int> valid(data.valid.user.begin(), data.valid.user.end());
  EXPECT_EQ(valid.size(), 30u);  // 0.3 of the 100 users with unbiased lists
  for (const int u : data.test.user) EXPECT_FALSE(valid.contains(u));
}

TEST(Simulate, TheSameSeedGivesTheSameData) {
  SimulateParams params = small();
  const std::string first = simulate(params).fingerprint();
  EXPECT_EQ(first, simulate(params).fingerprint());
  params.truth = true;
  EXPECT_EQ(first, simulate(params).fingerprint());
  params.seed = 2;
  EXPECT_NE(first, simulate(params).fingerprint());
}

TEST(Simulate, AUserDoesNotDependOnHowManyThereAre) {
  SimulateParams params = small();
  SimulatedWorld few(params);
  params.users = 5000;
  SimulatedWorld many(params);
  few.move_to(17);
  many.move_to(17);
  EXPECT_EQ(few.exposure_odds(), many.exposure_odds());
  EXPECT_EQ(few.user().own.values, many.user().own.values);
}

TEST(Simulate, TruthAgreesWithTheLog) {
  const SimulateParams params = small();
  const TempFolder folder;
  write_truth(params, folder / "truth.csv");
  CsvReader truth(folder / "truth.csv");
  EXPECT_EQ(truth.header(), (std::vector<std::string>{"user", "item", "exposure_odds", "preference", "label"}));
  std::map<std::pair<std::string, std::string>, double> labels;
  while (truth.next()) {
    EXPECT_EQ(truth.number(4), truth.number(3) > 0 ? 1 : 0);
    EXPECT_GT(truth.number(2), 0);
    EXPECT_LT(truth.number(2), 1);
    labels[{std::string(truth.field(0)), std::string(truth.field(1))}] = truth.number(4);
  }
  EXPECT_EQ(labels.size(), 300u * 12);
  const Dataset data = simulate(params);
  for (const Rows* rows : {&data.train, &data.valid, &data.test}) {
    for (std::size_t r = 0; r < rows->size(); ++r) {
      EXPECT_EQ((labels.at({data.users.name(rows->user[r]), data.items.name(rows->item[r])})), rows->label[r]);
    }
  }
}

TEST(Simulate, FeaturesCanBeLeftOut) {
  SimulateParams params = small();
  params.features = false;
  const Dataset data = simulate(params);
  EXPECT_TRUE(data.user_features.empty());
  EXPECT_TRUE(data.item_features.empty());
  EXPECT_EQ(data.train.item, simulate(small()).train.item);
}

TEST(Simulate, LongListsLeaveRoomForTheUnbiasedPart) {
  SimulateParams params = small();
  params.list_length = 11;
  const Dataset data = simulate(params);
  EXPECT_EQ(data.train.size(), 3300u);
  EXPECT_EQ(data.valid.size() + data.test.size(), 300u);  // one item is left for each user
  params.list_length = 12;
  EXPECT_THROW(simulate(params), UsageError);
  EXPECT_THROW(write_truth(params, "unused.csv"), UsageError);
  EXPECT_FALSE(std::filesystem::exists("unused.csv"));
}

SimulateParams zipf() {
  SimulateParams params;
  params.users = 4000;
  params.items = 1000;
  params.width = 4;
  params.features = false;
  params.law = "zipf";
  params.rows = 40000;
  return params;
}

std::vector<double> counts_of(const std::vector<std::int32_t>& column, int size) {
  std::vector<double> counts(static_cast<std::size_t>(size));
  for (const std::int32_t n : column) counts[static_cast<std::size_t>(n)] += 1;
  return counts;
}

// Slope of log count over log number, over groups of numbers that double, so that rare ones weigh no more than others.
double slope_of(const std::vector<double>& counts, double taken_away) {
  std::vector<double> x, y;
  for (std::size_t first = 4; 2 * first <= counts.size(); first *= 2) {
    double sum = 0, middle = 0;
    for (std::size_t n = first; n < 2 * first; ++n) sum += counts[n - 1] - taken_away, middle += std::log(n) / first;
    x.push_back(middle);
    y.push_back(std::log(sum / static_cast<double>(first)));
  }
  const auto size = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / size,
               my = std::accumulate(y.begin(), y.end(), 0.0) / size;
  double xy = 0, xx = 0;
  for (std::size_t k = 0; k < x.size(); ++k) xy += (x[k] - mx) * (y[k] - my), xx += (x[k] - mx) * (x[k] - mx);
  return xy / xx;
}

TEST(SimulateZipf, HasTheRowsAskedForAndNoPairTwice) {
  const Dataset data = simulate(zipf());
  EXPECT_EQ(data.train.size(), 40000u);
  EXPECT_EQ(data.valid.size() + data.test.size(), 13333u);
  std::set<std::pair<std::int32_t, std::int32_t>> pairs;
  for (const Rows* part : {&data.train, &data.valid, &data.test}) {
    for (std::size_t r = 0; r < part->size(); ++r) {
      EXPECT_TRUE(pairs.insert({part->user[r], part->item[r]}).second) << "a pair occurs twice";
    }
  }
  const std::vector<double> rows = counts_of(data.train.user, 4000);
  EXPECT_EQ(*std::min_element(rows.begin(), rows.end()), 1) << "every user has a row";
  EXPECT_EQ(data.provenance.at("law").as_string(), "zipf");
  EXPECT_EQ(simulate(small()).provenance.find("law"), nullptr);
  check_trainable(data);
}

TEST(SimulateZipf, PopularityAndActivityHaveTheirSlopes) {
  SimulateParams params = zipf();
  params.alpha = 1;  // exposure by popularity alone
  params.beta = 0;
  params.noise = 0;
  params.users = 60000;
  params.rows = 120000;
  for (const double slope : {0.0, 0.5, 1.0}) {
    params.slope = slope;
    params.activity = 0.4;
    const Dataset data = simulate(params);
    EXPECT_NEAR(slope_of(counts_of(data.train.item, params.items), 0), -slope, 0.05);
    EXPECT_NEAR(slope_of(counts_of(data.train.user, params.users), 1), -0.4, 0.03) << "of the rows after the first";
    const std::vector<double> uniform = counts_of(data.test.item, params.items);
    EXPECT_NEAR(slope_of(uniform, 0), 0, 0.05) << "test items are uniform";
  }
}

// An item's odds are popularity × r_ij: with few rows a user, rows follow the odds that the truth tells.
TEST(SimulateZipf, ExposureIsThatOfTheTruth) {
  SimulateParams params = zipf();
  params.users = 40000;
  params.items = 24;
  params.rows = 40000;
  params.alpha = 0.2;
  params.beta = 0.1;
  const Dataset data = simulate(params);
  const std::vector<double> rows = counts_of(data.train.item, params.items);
  SimulatedWorld world(params);
  std::vector<double> expected(24);
  std::vector<std::set<std::int32_t>> unbiased(40000);
  for (const Rows* part : {&data.valid, &data.test}) {
    for (std::size_t r = 0; r < part->size(); ++r)
      unbiased[static_cast<std::size_t>(part->user[r])].insert(part->item[r]);
  }
  for (int u = 0; u < params.users; ++u) {
    world.move_to(u);
    std::vector<double> odds = world.exposure_odds();
    for (const std::int32_t item : unbiased[static_cast<std::size_t>(u)]) odds[static_cast<std::size_t>(item)] = 0;
    const double sum = std::accumulate(odds.begin(), odds.end(), 0.0);
    for (std::size_t j = 0; j < 24; ++j) expected[j] += odds[j] / sum;
  }
  for (std::size_t j = 0; j < 24; ++j) EXPECT_NEAR(rows[j], expected[j], 5 * std::sqrt(expected[j])) << "item " << j;
}

// Nearly all draws are of items that the user has, and of users who have all they may.
TEST(SimulateZipf, SteepLawsComeToAnEnd) {
  SimulateParams params = zipf();
  params.users = 400;
  params.items = 4000;
  params.slope = 3;
  params.activity = 3;
  params.rows = 400 * 998 / 2;
  const Dataset data = simulate(params);
  EXPECT_EQ(data.train.size(), static_cast<std::size_t>(params.rows));
  std::set<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t r = 0; r < data.train.size(); ++r) pairs.insert({data.train.user[r], data.train.item[r]});
  EXPECT_EQ(pairs.size(), data.train.size());
  const std::vector<double> items = counts_of(data.train.item, params.items);
  EXPECT_GT(items[0], items[200]);
  EXPECT_GT(items[200], items[3000]);
}

// With many features hardly any item has odds worth a draw.
TEST(SimulateZipf, TinyOddsComeToAnEnd) {
  SimulateParams params = zipf();
  params.users = 20;
  params.items = 200;
  params.rows = 60;
  params.width = 400;
  params.alpha = params.beta = 0;
  EXPECT_EQ(simulate(params).train.size(), 60u);
}

TEST(SimulateZipf, DependsOnTheSeedAlone) {
  SimulateParams params = zipf();
  const std::string first = simulate(params).fingerprint();
  EXPECT_EQ(simulate(params).fingerprint(), first);
  params.seed = 2;
  EXPECT_NE(simulate(params).fingerprint(), first);
}

TEST(SimulateZipf, RefusesWhatItCannotDo) {
  SimulateParams params = zipf();
  params.rows = 3999;
  EXPECT_THROW(simulate(params), UsageError);
  params.rows = 2000000000;
  EXPECT_THROW(simulate(params), UsageError);
  params = zipf();
  params.law = "lists";
  EXPECT_THROW(simulate(params), UsageError) << "rows belongs to the law zipf";
}

}  // namespace
}  // namespace equipoise
