// Each propensity estimator recovers known propensities in a setting of its own; names and refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "core/random.h"
#include "propensity/propensity.h"

namespace equipoise {
namespace {

using Law = std::function<double(std::int32_t user, std::int32_t item)>;

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

/// A log in which every pair is shown once, with the chance that the law says; labels by `label`.
Dataset simulate_exposure(int users, int items, const Law& law, std::uint64_t seed,
                          const std::function<float(std::int32_t, std::int32_t)>& label) {
  Dataset data;
  for (int u = 0; u < users; ++u) data.users.add("u" + std::to_string(u));
  for (int i = 0; i < items; ++i) data.items.add("i" + std::to_string(i));
  Stream stream(seed, "exposure");
  for (std::int32_t u = 0; u < users; ++u) {
    for (std::int32_t i = 0; i < items; ++i) {
      if (stream.uniform() >= law(u, i)) continue;
      data.train.user.push_back(u);
      data.train.item.push_back(i);
      data.train.label.push_back(label(u, i));
    }
  }
  return data;
}
Dataset simulate_exposure(int users, int items, const Law& law, std::uint64_t seed) {
  return simulate_exposure(users, items, law, seed, [](auto u, auto i) { return static_cast<float>((u + i) % 2); });
}

struct AllPairs {
  AllPairs(std::int32_t users, std::int32_t items) {
    for (std::int32_t u = 0; u < users; ++u) {
      for (std::int32_t i = 0; i < items; ++i) user.push_back(u), item.push_back(i);
    }
  }
  Pairs pairs() const { return {user, item, {}, {}, {}}; }
  std::vector<std::int32_t> user, item;
};

struct Quality {
  double correlation;
  double slope;  // of the truth on the estimate: 1 = calibrated
  double mean_ratio;
};

Quality compare(const std::vector<float>& estimate, const std::vector<double>& truth) {
  const auto n = static_cast<double>(truth.size());
  double e = 0, t = 0, ee = 0, tt = 0, et = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    e += estimate[k], t += truth[k];
    ee += static_cast<double>(estimate[k]) * estimate[k], tt += truth[k] * truth[k], et += estimate[k] * truth[k];
  }
  const double cov = et / n - e * t / n / n, var_e = ee / n - e * e / n / n, var_t = tt / n - t * t / n / n;
  return {cov / std::sqrt(var_e * var_t), cov / var_e, e / t};
}

Quality recover(const std::string& name, const Dataset& data, const Law& law, const std::string& setting = "") {
  auto estimator = make_propensity(name);
  Params params;
  estimator->describe(params);
  if (!setting.empty()) params.set(setting.substr(0, setting.find('=')), setting.substr(setting.find('=') + 1));
  estimator->fit(observed(data), 1);
  EXPECT_TRUE(estimator->knows_every_pair());
  const AllPairs all(data.users.size(), data.items.size());
  std::vector<float> estimate(all.user.size());
  estimator->estimate(all.pairs(), estimate);
  std::vector<double> truth;
  for (std::size_t k = 0; k < estimate.size(); ++k) {
    EXPECT_TRUE(estimate[k] >= 0 && estimate[k] <= 1);
    truth.push_back(law(all.user[k], all.item[k]));
  }
  return compare(estimate, truth);
}

void expect_good(const Quality& q) {
  EXPECT_GE(q.correlation, 0.95);
  EXPECT_GE(q.slope, 0.9);
  EXPECT_LE(q.slope, 1.1);
  EXPECT_NEAR(q.mean_ratio, 1, 0.05);
  ::testing::Test::RecordProperty("correlation", std::to_string(q.correlation));
  ::testing::Test::RecordProperty("slope", std::to_string(q.slope));
}

/// A number of e's own.
double own(const char* what, std::int32_t e) { return Stream(7, what, static_cast<std::uint64_t>(e)).normal(); }

TEST(Uniform, IsTheDensity) {
  const Dataset data = simulate_exposure(
      40, 30, [](auto, auto) { return 0.2; }, 1);
  const auto estimator = make_propensity("uniform");
  estimator->fit(observed(data), 1);
  std::vector<std::uint32_t> numbers;
  std::vector<float> estimate(data.train.size());
  estimator->estimate(pairs_of(data.train, numbers), estimate);
  for (const float p : estimate) EXPECT_FLOAT_EQ(p, static_cast<float>(data.train.size()) / 1200.0f);
}

TEST(PopularityPropensity, RecoversALawOfItems) {
  const Law law = [](auto, auto i) { return 0.4 * std::pow(1.0 + i, -0.6); };
  const Dataset data = simulate_exposure(800, 100, law, 2);
  expect_good(recover("popularity", data, law));
}

TEST(PopularityPropensity, RecoversAPowerOfTheCounts) {
  // Items that were counted by a law c, shown by c^½: η = ½ finds the law back from counts that follow c.
  const Law counts = [](auto, auto i) { return 0.8 / (1.0 + i); };
  const Dataset data = simulate_exposure(3000, 40, counts, 3);
  double mean = 0;
  for (int i = 0; i < 40; ++i) mean += std::sqrt(counts(0, i)) / 40;
  const double density = observed(data).density();
  const Law law = [&](auto u, auto i) { return std::sqrt(counts(u, i)) * density / mean; };
  expect_good(recover("popularity", data, law, "popularity_power=0.5"));
}

TEST(UserItem, RecoversARankOneLaw) {
  const Law law = [](auto u, auto i) {
    return 0.9 * sigmoid_of(0.8 * own("user", u)) * sigmoid_of(own("item", i) - 0.5);
  };
  expect_good(recover("user-item", simulate_exposure(400, 300, law, 4), law));
}

TEST(Logistic, RecoversAModelOfIds) {
  const Law law = [](auto u, auto i) { return sigmoid_of(-2 + 0.7 * own("user", u) + 0.9 * own("item", i)); };
  expect_good(recover("logistic", simulate_exposure(300, 200, law, 5), law));
}

TEST(Logistic, RecoversAModelOfFeatures) {
  // Few rows a user: the features must carry it. Age is missing for every seventh user.
  const int users = 1500, items = 60;
  const auto age = [](std::int32_t u) { return u % 7 == 6 ? 0.0 : own("age", u); };
  const auto colour = [](std::int32_t i) { return i % 3; };
  const Law law = [&](auto u, auto i) { return sigmoid_of(-2.5 + 0.8 * age(u) + (colour(i) - 1) * 0.7); };
  Dataset data = simulate_exposure(users, items, law, 6);
  ContinuousField numbers{"age", {}};
  for (int u = 0; u < users; ++u) {
    numbers.values.push_back(u % 7 == 6 ? std::nanf("") : static_cast<float>(30 + 10 * own("age", u)));
  }
  data.user_features = {users, {}, {numbers}};
  CategoricalField colours{"colour", false, {"red", "green", "blue"}, {0}, {}};
  for (int i = 0; i < items; ++i) colours.codes.push_back(colour(i)), colours.offsets.push_back(i + 1);
  data.item_features = {items, {colours}, {}};
  expect_good(recover("logistic", data, law, "logistic_lambda=0.0003"));
}

TEST(Mf, RecoversALowRankLaw) {
  const Law law = [](auto u, auto i) {
    return sigmoid_of(-1.5 + own("a", u) * own("b", i) + own("c", u) * own("d", i) + 0.5 * own("item", i));
  };
  const Dataset data = simulate_exposure(500, 400, law, 7);
  expect_good(recover("mf", data, law, "mf_width=4"));
  EXPECT_LT(recover("logistic", data, law).correlation, 0.7) << "what depends on the pair is beyond ids alone";
}

TEST(Balancing, RecoversALawWhoseLogarithmIsLinearInFeaturesAndTheirProducts) {
  const int users = 1500, items = 80;
  const Law law = [](auto u, auto i) {
    const double x = own("x", u), y = own("y", i);
    return std::min(1.0, 0.05 * std::exp(0.4 * x + 0.3 * y + 0.3 * x * y));
  };
  Dataset data = simulate_exposure(users, items, law, 12);
  ContinuousField x{"x", {}}, y{"y", {}};
  for (int u = 0; u < users; ++u) x.values.push_back(static_cast<float>(own("x", u)));
  for (int i = 0; i < items; ++i) y.values.push_back(static_cast<float>(own("y", i)));
  data.user_features = {users, {}, {x}};
  data.item_features = {items, {}, {y}};
  expect_good(recover("balancing", data, law));
}

TEST(NaiveBayes, RecoversALawOfLabels) {
  // Positive pairs are shown four times as often; a third of all pairs are positive.
  const auto label = [](std::int32_t u, std::int32_t i) { return (u * 7 + i * 5) % 3 == 0 ? 1.0f : 0.0f; };
  const Law law = [&](auto u, auto i) { return label(u, i) > 0 ? 0.4 : 0.1; };
  Dataset data = simulate_exposure(300, 200, law, 8, label);
  Stream stream(8, "valid");
  for (int k = 0; k < 3000; ++k) {
    data.valid.user.push_back(static_cast<std::int32_t>(stream.below(300)));
    data.valid.item.push_back(static_cast<std::int32_t>(stream.below(200)));
    data.valid.label.push_back(label(data.valid.user.back(), data.valid.item.back()));
  }
  const auto estimator = make_propensity("naive-bayes");
  estimator->fit(observed(data), 1);
  EXPECT_FALSE(estimator->knows_every_pair());
  std::vector<float> labels{0, 1}, estimate(2);
  const std::vector<std::int32_t> who{0, 0};
  estimator->estimate({who, who, labels, {}, {}}, estimate);
  EXPECT_NEAR(estimate[0], 0.1, 0.005);
  EXPECT_NEAR(estimate[1], 0.4, 0.02);
  AllPairs all(300, 200);
  std::vector<double> truth;
  std::vector<float> all_labels, all_estimates(all.user.size());
  for (std::size_t k = 0; k < all.user.size(); ++k) {
    all_labels.push_back(label(all.user[k], all.item[k]));
    truth.push_back(law(all.user[k], all.item[k]));
  }
  estimator->estimate({all.user, all.item, all_labels, {}, {}}, all_estimates);
  expect_good(compare(all_estimates, truth));
}

std::string refusal(const std::string& name, const Dataset& data, const std::string& prior = "") {
  const auto estimator = make_propensity(name);
  Params params;
  estimator->describe(params);
  if (!prior.empty()) params.set("naive_bayes_prior", prior);
  try {
    estimator->fit(observed(data), 1);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(NaiveBayes, NeverReadsTestRows) {
  Dataset data = simulate_exposure(
      30, 20, [](auto, auto) { return 0.3; }, 9);
  data.test = data.train;  // present, and no help
  EXPECT_NE(refusal("naive-bayes", data).find("needs a validation part"), std::string::npos);
  EXPECT_NE(refusal("naive-bayes", data, "test").find("test rows are read at the end only"), std::string::npos);
  EXPECT_NE(refusal("naive-bayes", data, "1.5").find("between 0 and 1"), std::string::npos);
  EXPECT_EQ(refusal("naive-bayes", data, "0.3"), "");
  // With a validation part, whatever stands in test changes nothing.
  data.valid = data.train;
  const auto estimate = [&] {
    const auto estimator = make_propensity("naive-bayes");
    estimator->fit(observed(data), 1);
    std::vector<std::uint32_t> numbers;
    std::vector<float> out(data.train.size());
    estimator->estimate(pairs_of(data.train, numbers), out);
    return out;
  };
  const std::vector<float> before = estimate();
  std::fill(data.test.label.begin(), data.test.label.end(), 1.0f);
  EXPECT_EQ(estimate(), before);
}

TEST(Given, IsTheColumn) {
  Dataset data = simulate_exposure(
      20, 10, [](auto, auto) { return 0.5; }, 10);
  EXPECT_NE(refusal("given", data).find("needs a propensity column"), std::string::npos);
  for (std::size_t t = 0; t < data.train.size(); ++t) {
    data.train.propensity.push_back(static_cast<float>(0.1 + 0.001 * static_cast<double>(t)));
  }
  const auto estimator = make_propensity("given");
  estimator->fit(observed(data), 1);
  std::vector<std::uint32_t> numbers;
  const Pairs rows = pairs_of(data.train, numbers);
  std::vector<float> by_row(rows.size()), by_pair(rows.size());
  estimator->estimate(rows, by_row);
  estimator->estimate({rows.user, rows.item, {}, {}, {}}, by_pair);
  EXPECT_EQ(by_row, data.train.propensity);
  EXPECT_EQ(by_pair, data.train.propensity);
}

TEST(Propensities, DependOnTheSeedAloneAndAreNamed) {
  Dataset data = simulate_exposure(
      60, 40, [](auto u, auto i) { return 0.1 + 0.3 * ((u + i) % 2); }, 11);
  data.valid = data.train;
  data.train.propensity.assign(data.train.size(), 0.25f);
  for (const PropensityEntry& entry : propensities()) {
    const auto estimate = [&](std::uint64_t seed) {
      const auto estimator = make_propensity(entry.name);
      estimator->fit(observed(data), seed);
      std::vector<std::uint32_t> numbers;
      std::vector<float> out(data.train.size());
      estimator->estimate(pairs_of(data.train, numbers), out);
      return out;
    };
    EXPECT_EQ(estimate(1), estimate(1)) << entry.name;
    EXPECT_NE(std::string(entry.sentence), "");
  }
  EXPECT_THROW(make_propensity("populrity"), UsageError);
}

}  // namespace
}  // namespace equipoise
