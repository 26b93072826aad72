// The linter's rules about columns: constant ones, and propensities that are impossible or from test labels.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "doctor/lint_fixture.h"

namespace equipoise {
namespace {

using test::clean;
using test::everything;
using test::expect_one;
using test::fired;
using test::Names;
using test::said;

TEST(LintColumns, Constant) {
  Dataset data = clean();
  // A missing number is the mean to a model; a missing word is a word of its own.
  std::fill(data.user_features.continuous[1].values.begin() + 7, data.user_features.continuous[1].values.end(), 4.0f);
  std::fill_n(data.user_features.continuous[1].values.begin(), 7, std::numeric_limits<float>::quiet_NaN());
  for (auto& code : data.user_features.categorical[0].codes) code = 0;
  EXPECT_EQ(fired(data), Names{"constant-column"});
  expect_one(said("constant-column", data),
             "warns: 1 of 4 columns of users.csv have one value for all 400 rows (\"income\")");
  CategoricalField& genre = data.item_features.categorical[0];
  genre.codes.assign(20, 1);
  for (std::int32_t r = 0; r <= 20; ++r) genre.offsets[static_cast<std::size_t>(r)] = r;
  EXPECT_EQ(said("constant-column", data).size(), 2u);
}

TEST(LintColumns, ConstantWeightsAndPropensities) {
  Dataset data = clean();
  data.train.weight.assign(data.train.size(), 2.5f);
  expect_one(said("constant-column", data), "warns: every weight of train is 2.5");
  data.train.weight[3] = 1;
  data.train.propensity.assign(data.train.size(), 0.25f);
  EXPECT_EQ(fired(data), Names{"constant-column"});
  expect_one(said("constant-column", data), "warns: every propensity of train is 0.25");
}

TEST(LintColumns, PropensityRange) {
  for (const float bad : {0.0f, -0.1f, 1.5f, std::numeric_limits<float>::quiet_NaN()}) {
    Dataset data = clean();
    data.train.propensity[41] = bad;
    EXPECT_EQ(fired(data), Names{"propensity-range"});
    expect_one(said("propensity-range", data), "refuses: 1 of ", " in row 42;");
    expect_one(said("propensity-range", data, {.metrics = {"auc"}, .k = 1, .methods = {"base", "ips"}}), "warns: ");
    expect_one(said("propensity-range", data,
                    {.metrics = {"auc"}, .k = 1, .methods = {"base", "cbr"}, .propensities = {"given"}}),
               "warns: ");
  }
}

/// Naive Bayes by hand: what `share` of positives among all pairs would give.
Dataset with_label_propensities(Dataset data, double share) {
  double shown = 0;
  for (const float y : data.train.label) shown += y / static_cast<double>(data.train.size());
  for (std::size_t t = 0; t < data.train.size(); ++t) {
    data.train.propensity[t] =
        static_cast<float>(0.1 * (data.train.label[t] > 0 ? shown / share : (1 - shown) / (1 - share)));
  }
  return data;
}

double positive_share(const Rows& rows) {
  double sum = 0;
  for (const float y : rows.label) sum += y;
  return sum / static_cast<double>(rows.size());
}

TEST(LintColumns, PropensitiesFromTestLabels) {
  const Dataset data = clean();
  const double valid = positive_share(data.valid), test = positive_share(data.test), both = 0.4 * valid + 0.6 * test;
  ASSERT_GT(std::abs(valid - test), 0.003);  // otherwise nobody could tell
  const Dataset from_test = with_label_propensities(data, test);
  EXPECT_EQ(fired(from_test), Names{"propensities-from-test"});
  expect_one(said("propensities-from-test", from_test),
             "refuses: ", "is what the labels of test give, not those of valid");
  expect_one(said("propensities-from-test", with_label_propensities(data, both)),
             "refuses: ", "of valid and test together");
  EXPECT_TRUE(fired(with_label_propensities(data, valid)).empty());
  EXPECT_TRUE(fired(with_label_propensities(data, test + 0.03)).empty());
  PlannedComparison planned = everything();
  planned.methods = {"base", "cbr"};
  expect_one(said("propensities-from-test", from_test, planned), "warns: ");
  planned = everything();
  planned.propensities = {"popularity"};
  expect_one(said("propensities-from-test", from_test, planned), "warns: ");
}

TEST(LintColumns, OurOwnNaiveBayesReadsValid) {
  for (const bool cheat : {false, true}) {
    Dataset data = clean();
    if (cheat) std::swap(data.valid, data.test);
    const auto estimator = naive_bayes_propensity();
    estimator->fit(observed(data), 1);
    std::vector<std::uint32_t> numbers;
    std::vector<float> column(data.train.size());
    estimator->estimate(pairs_of(data.train, numbers), column);
    if (cheat) std::swap(data.valid, data.test);
    data.train.propensity = column;
    EXPECT_EQ(fired(data), cheat ? Names{"propensities-from-test"} : Names{});
  }
}

TEST(LintColumns, DeclaredPropensities) {
  Dataset data = clean();
  data.provenance["propensities_from"] = "naive Bayes, on 5% of test";
  EXPECT_EQ(fired(data), Names{"propensities-from-test"});
  expect_one(said("propensities-from-test", data), "refuses: provenance says");
  data.provenance["propensities_from"] = Json::array({"train", "test"});
  EXPECT_EQ(fired(data), Names{"propensities-from-test"});
  data.provenance["propensities_from"] = "the tested policy's own odds";
  EXPECT_TRUE(fired(data).empty());
}

}  // namespace
}  // namespace equipoise
