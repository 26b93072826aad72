// Example lists and the data card: users chosen by the data alone, nothing they had, labels of test.
#include "compare/example_lists.h"

#include <gtest/gtest.h>

#include "data/data_card.h"
#include "logs.h"

namespace equipoise {
namespace {

// Scores an item by its number, upwards or downwards.
class ByNumber final : public Scorer {
 public:
  explicit ByNumber(float sign) : sign_(sign) {}
  void score(std::span<const std::int32_t>, std::span<const std::int32_t> items, std::span<float> out) const override {
    for (std::size_t k = 0; k < items.size(); ++k) out[k] = sign_ * static_cast<float>(items[k]);
  }

 private:
  float sign_;
};

// User u has items 0 … u of train, of which it likes the even ones; in test everybody likes item 11 and not item 10.
Dataset staircase() {
  Dataset data = test::empty_log("stairs", 9, 12);
  for (int u = 0; u < 9; ++u) {
    for (int i = 0; i <= u; ++i) test::add_row(data.train, u, i, i % 2 == 0);
    test::add_row(data.test, u, 11, u != 8);  // u8 likes nothing in test
    test::add_row(data.test, u, 10, false);
  }
  data.item_names.assign(12, "");
  data.item_names[11] = "Eleven";
  data.provenance["label_rule"] = "by hand";
  data.provenance["test_part"] = "unbiased";
  return data;
}

TEST(ExampleLists, UsersAQuarterHalfAndThreeQuartersDown) {
  const Dataset data = staircase();
  const Json found = example_lists(ByNumber(1), data);
  ASSERT_EQ(found.as_array().size(), 3u);
  // u8 has no positive in test; of u7 … u0, by rows, places 2, 4 and 6.
  const std::vector<std::string> expected = {"u5", "u3", "u1"};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(found.as_array()[k].at("user").as_string(), expected[k]);
    EXPECT_EQ(example_lists(ByNumber(-1), data).as_array()[k].at("user").as_string(), expected[k]);
  }
  EXPECT_EQ(found.as_array()[0].at("train").as_int(), 6);
  EXPECT_EQ(found.as_array()[0].at("liked_in_all").as_int(), 3);
  EXPECT_EQ(found.as_array()[0].at("liked").dump(), R"(["i0","i2","i4"])");
}

TEST(ExampleLists, AreTheFirstFiveOfWhatTheUserHasNotHad) {
  const Json up = example_lists(ByNumber(1), staircase()), down = example_lists(ByNumber(-1), staircase());
  const Json::Array& best = up.as_array()[0].at("list").as_array();
  ASSERT_EQ(best.size(), 5u);
  EXPECT_EQ(best[0].at("item").as_string(), "i11");
  EXPECT_EQ(best[0].at("name").as_string(), "Eleven");
  EXPECT_EQ(best[0].at("label").as_int(), 1);
  EXPECT_EQ(best[1].at("label").as_int(), 0);
  EXPECT_TRUE(best[2].at("label").is_null());
  EXPECT_EQ(down.as_array()[0].at("list").as_array()[0].at("item").as_string(), "i6");  // i0 … i5 are in train
}

TEST(ExampleLists, NobodyToShow) {
  Dataset data = staircase();
  data.test.clear();
  EXPECT_TRUE(example_lists(ByNumber(1), data).as_array().empty());
}

TEST(DataCard, SizesSharesAndWhatTheProvenanceSays) {
  const Json card = data_card(staircase());
  EXPECT_EQ(card.at("users").as_int(), 9);
  EXPECT_EQ(card.at("items").as_int(), 12);
  EXPECT_EQ(card.at("train").as_int(), 45);
  EXPECT_DOUBLE_EQ(card.at("train_positive").as_double(), 25.0 / 45);
  EXPECT_DOUBLE_EQ(card.at("test_positive").as_double(), 8.0 / 18);
  EXPECT_EQ(card.at("valid").as_int(), 0);
  EXPECT_EQ(card.at("label_rule").as_string(), "by hand");
  EXPECT_EQ(card.at("split").as_string(), "");
  EXPECT_EQ(card.at("test_part").as_string(), "unbiased");
}

}  // namespace
}  // namespace equipoise
