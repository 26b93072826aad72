// The chance that a place is looked at: found again from lists whose policy prefers some items, and so are the labels.
#include "data/served/examination.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/random.h"
#include "data/temp_folder.h"

namespace equipoise::test {
namespace {

constexpr int kItems = 20, kPlaces = 3;
constexpr double kTheta[kPlaces] = {1, 0.5, 0.2};
double liking(int item) { return 0.8 - 0.7 * item / kItems; }

// With chance 1 − ε the items 0, 1, 2 in this order, which are liked most; else a uniform list.
std::vector<ShownItem> simulated(int lists, double epsilon) {
  Stream stream(1, "lists");
  std::vector<ShownItem> out;
  for (int n = 0; n < lists; ++n) {
    std::vector<int> items(kItems);
    for (int i = 0; i < kItems; ++i) items[static_cast<std::size_t>(i)] = i;
    if (stream.uniform() < epsilon) stream.shuffle(std::span(items));
    for (int place = 0; place < kPlaces; ++place) {
      const int item = items[static_cast<std::size_t>(place)];
      const bool taken = stream.uniform() < kTheta[place] * liking(item);
      out.push_back({item, place + 1, epsilon / kItems + (item == place ? 1 - epsilon : 0), taken});
    }
  }
  return out;
}

TEST(ExaminationTest, IsFoundAgainWhateverThePolicyPrefers) {
  const Examination found = estimate_examination(simulated(200000, 0.3), "log");
  ASSERT_EQ(found.chance.size(), 3U);
  EXPECT_EQ(found.chance[0], 1);
  EXPECT_NEAR(found.chance[1], 0.5, 0.02);
  EXPECT_NEAR(found.chance[2], 0.2, 0.02);
  EXPECT_GT(found.effective[0], 1000);
}

TEST(ExaminationTest, WeightedLabelsAreThoseOfPlacesThatAreLookedAt) {
  const std::vector<ShownItem> shown = simulated(200000, 0.5);
  const std::vector<float> weights = examination_weights(shown, {{1, 0.5, 0.2}, {}}, kItems);
  for (const int item : {0, 2, 10}) {
    double liked = 0, all = 0, plain = 0, rows = 0;
    for (std::size_t n = 0; n < shown.size(); ++n) {
      if (shown[n].item != item) continue;
      all += static_cast<double>(weights[n]), rows += 1;
      if (shown[n].taken) liked += static_cast<double>(weights[n]), plain += 1;
    }
    EXPECT_NEAR(liked / all, liking(item), 0.02) << item;
    EXPECT_NEAR(all / rows, 1, 0.05) << "a row counts one, on average";
    if (item > 0) {
      EXPECT_LT(plain / rows, liking(item) - 0.1) << "without weights";
    }
  }
}

TEST(ExaminationTest, CannotBeKnownFromListsThatWereNotDrawn) {
  std::vector<ShownItem> shown = {{0, 1, 1, true}, {1, 2, 1, false}};
  EXPECT_THROW(estimate_examination(shown, "log"), DataError);
  shown = {{0, 1, 0.5, false}, {1, 2, 0.5, true}};
  EXPECT_THROW(estimate_examination(shown, "log"), DataError);
  EXPECT_THROW(estimate_examination({}, "log"), DataError);
}

}  // namespace
}  // namespace equipoise::test
