// Which items a list may hold: candidates, exclusions and filters, on every path to a list.
#include "recommender/eligible.h"

#include "core/error.h"
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

Features some_features(std::int32_t items) {
  CategoricalField colour{"colour", false, {"red", "blue"}, {0}, {}};
  ContinuousField year{"year", {}};
  for (std::int32_t i = 0; i < items; ++i) {
    if (i % 4 != 3) colour.codes.push_back(i % 2);  // every fourth has no colour
    colour.offsets.push_back(static_cast<std::int32_t>(colour.codes.size()));
    year.values.push_back(static_cast<float>(2000 + i % 3));
  }
  return {items, {colour}, {year}};
}

TEST(Eligible, BeginsWithAllAndIsNarrowedStepByStep) {
  Eligible e(12);
  EXPECT_TRUE(e.all());
  EXPECT_EQ(e.count(), 12U);
  e.keep_only(std::vector<std::int32_t>{1, 3, 5, 7, -1, 3});
  EXPECT_EQ(e.items(), (std::vector<std::int32_t>{1, 3, 5, 7}));
  e.leave_out(std::vector<std::int32_t>{3, 11, -1});
  EXPECT_EQ(e.items(), (std::vector<std::int32_t>{1, 5, 7}));
  e.keep_only(std::vector<std::int32_t>{5, 6});
  EXPECT_EQ(e.items(), (std::vector<std::int32_t>{5})) << "what was left out does not come back";
  e.keep_only({});
  EXPECT_EQ(e.count(), 0U);
  EXPECT_FALSE(e.all());
}

TEST(Eligible, FiltersByFeatures) {
  const Features features = some_features(12);
  Eligible e(12);
  e.keep_where(features, "colour", {"blue"});
  EXPECT_EQ(e.items(), (std::vector<std::int32_t>{1, 5, 9}));
  e.keep_where(features, "year", {"2001", "2000"});
  EXPECT_EQ(e.items(), (std::vector<std::int32_t>{1, 9}));
  EXPECT_THROW(e.keep_where(features, "color", {"blue"}), UsageError);
  EXPECT_THROW(e.keep_where(features, "colour", {"green"}), UsageError);
  EXPECT_THROW(e.keep_where(features, "year", {"old"}), UsageError);
  EXPECT_THROW(e.keep_where({}, "colour", {"blue"}), UsageError);
}

class EligibleLists : public ::testing::TestWithParam<Case> {};

// The list of some items is the whole list without the others, to the last bit.
TEST_P(EligibleLists, AreTheWholeListWithoutTheOthers) {
  const Dataset data = known_log(40, 300);
  const auto r = some_frozen(GetParam(), data);
  std::vector<std::int32_t> many, few = {3, 77, 205, 299};
  for (std::int32_t i = 0; i < 300; i += 2) many.push_back(i);
  for (const auto* kept : {&many, &few}) {
    Eligible e(300);
    e.keep_only(*kept);
    for (const std::int32_t user : {0, 7, -1}) {
      std::vector<Recommended> expected;
      for (const Recommended& best : r->top_k(user, {300, false, {}}, one_thread())) {
        if (e.has(best.item) && expected.size() < 10) expected.push_back(best);
      }
      const std::vector<Recommended> list = r->top_k(user, {10, false, e}, one_thread());
      ASSERT_EQ(list.size(), expected.size());
      for (std::size_t n = 0; n < list.size(); ++n) {
        EXPECT_EQ(list[n].item, expected[n].item);
        EXPECT_NEAR(list[n].score, expected[n].score, 1e-5);
      }
    }
  }
  Eligible none(300);
  none.keep_only({});
  EXPECT_TRUE(r->top_k(0, {10, false, none}, one_thread()).empty());
}

INSTANTIATE_TEST_SUITE_P(Table, EligibleLists, ::testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace equipoise::test
