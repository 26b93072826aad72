// Vectors: products are scores where they should be, and similar items are those of the largest cosine.
#include "recommender/vectors.h"

#include <cmath>
#include <set>

#include "data/temp_folder.h"
#include "recommender/fixture.h"

namespace equipoise::test {
namespace {

struct All {
  std::vector<float> values;
  std::size_t width = 0;
  const float* row(std::int32_t r) const { return values.data() + static_cast<std::size_t>(r) * width; }
};

All all_vectors(const Recommender& r, Side side) {
  All out{{}, vector_width(r)};
  Pool pool(2);
  each_vector(r, side, pool, [&](const Matrix& rows) {
    EXPECT_EQ(rows.cols, out.width);
    out.values.insert(out.values.end(), rows.data, rows.data + rows.size());
  });
  return out;
}

double product(const float* a, const float* b, std::size_t count) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += static_cast<double>(a[k]) * b[k];
  return sum;
}

class VectorsOf : public ::testing::TestWithParam<Case> {};

TEST_P(VectorsOf, AreFactorsWhereAProductIsTheScore) {
  const Dataset data = known_log(30, 12);
  const auto r = some_frozen(GetParam(), data, 1, {{"history", "none"}});
  if (vectors_of(*r) == Vectors::none) {
    EXPECT_EQ(GetParam().base, "") << "every base model has vectors";
    EXPECT_THROW(vector_width(*r), UsageError);
    EXPECT_THROW(similar_items(*r, 0, 3, Eligible(), one_thread()), UsageError);
    return;
  }
  const All users = all_vectors(*r, Side::users), items = all_vectors(*r, Side::items);
  ASSERT_EQ(users.values.size(), 30 * users.width);
  ASSERT_EQ(items.values.size(), 12 * items.width);
  double largest = 0;
  for (const std::int32_t u : {0, 7, 29}) {  // the last ones are cold
    for (const std::int32_t i : {0, 5, 11}) {
      const double score = static_cast<double>(score_one(*r, u, i));
      largest = std::max(largest, std::abs(score - product(users.row(u), items.row(i), users.width)));
    }
  }
  if (vectors_of(*r) == Vectors::factors)
    EXPECT_LT(largest, 1e-5);
  else
    EXPECT_GT(largest, 1e-3) << "said not to be the score";
}

INSTANTIATE_TEST_SUITE_P(Table, VectorsOf, ::testing::ValuesIn(cases()), case_name);

TEST(SimilarItems, HaveTheLargestCosines) {
  Dataset data = known_log(30, 12, 6, false);
  for (const char* base : {"gmf", "mlp"}) {
    const auto r = some_frozen({"base", base}, data);
    const std::size_t width = static_cast<std::size_t>(r->recipe().model().representation.width);
    const All items = all_vectors(*r, Side::items);
    const auto cosine = [&](std::int32_t a, std::int32_t b) {
      const auto dot = [&](std::int32_t x, std::int32_t y) { return product(items.row(x), items.row(y), width); };
      return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
    };
    const auto list = similar_items(*r, 4, 100, Eligible(12), one_thread());
    EXPECT_EQ(list.size(), 10U) << "without itself, and without the last, of which nothing is known";
    for (std::size_t n = 0; n < list.size(); ++n) {
      EXPECT_NEAR(static_cast<double>(list[n].score), cosine(4, list[n].item), 1e-6);
      EXPECT_TRUE(n == 0 || list[n].score <= list[n - 1].score);
      EXPECT_TRUE(list[n].item != 4 && list[n].item != 11);
    }
    EXPECT_THROW(similar_items(*r, 11, 3, Eligible(12), one_thread()), UsageError);
    Eligible some(12);
    some.keep_only(std::vector<std::int32_t>{list[3].item, list[7].item, 4});
    const auto few = similar_items(*r, 4, 5, some, one_thread());
    ASSERT_EQ(few.size(), 2U);
    EXPECT_EQ(few[0].item, list[3].item);
    EXPECT_EQ(few[1].score, list[7].score);
  }
}

TEST(SimilarItems, OfEqualVectorsAreInTheOrderOfTheirIds) {
  const Dataset data = known_log(30, 12, 6, false);
  auto r = some_recommender({"base", "gmf"}, data);
  for (TrainedArray& array : r->networks().all().front().arrays()) {
    if (array.name() == "f/item.id") std::fill(array.values().begin(), array.values().end(), 0.5f);
  }
  const auto frozen = Recommender::frozen(std::move(r), one_thread());
  std::vector<std::string> ids;
  for (const Recommended& one : similar_items(*frozen, 3, 4, Eligible(12), one_thread())) {
    EXPECT_FLOAT_EQ(one.score, 1.0f);
    ids.push_back(frozen->items().name(one.item));
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"i0", "i1", "i10", "i2"}));
}

}  // namespace
}  // namespace equipoise::test
