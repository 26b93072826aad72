// Columns by name: there and back, in any order of the names, and what does not fit is refused.
#include "compare/metric_columns.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compare/packed.h"
#include "core/error.h"

namespace equipoise {
namespace {

TEST(MetricColumns, ThereAndBack) {
  const MetricColumns columns = {{"ndcg", {0.1, 0.2, 0.3}}, {"auc", {1, 2, 3}}};
  EXPECT_EQ(unpack_doubles(pack_doubles(columns)), columns);
  const MetricColumns rounded = unpack_floats(pack_floats(columns));
  EXPECT_EQ(rounded.at("auc"), columns.at("auc"));
  EXPECT_NEAR(rounded.at("ndcg")[1], 0.2, 1e-7);
  EXPECT_TRUE(unpack_doubles(pack_doubles({})).empty());
  EXPECT_TRUE(std::isnan(unpack_floats(pack_floats({{"auc", {std::nan("")}}})).at("auc")[0]));
}

TEST(MetricColumns, GoByTheNamesAndNotByTheTable) {
  const PackedColumns packed{R"(["of tomorrow","auc"])", pack(std::vector<double>{7, 8, 1, 2})};
  EXPECT_EQ(unpack_doubles(packed), (MetricColumns{{"of tomorrow", {7, 8}}, {"auc", {1, 2}}}));
}

TEST(MetricColumns, Layout1HadFifteenMetricsInAnOrder) {
  std::vector<float> rows;
  for (int v = 0; v < 30; ++v) rows.push_back(static_cast<float>(v));
  const MetricColumns resampled = unpack_floats_of_layout_1(pack(rows));
  EXPECT_EQ(resampled.size(), 15u);
  EXPECT_EQ(resampled.at("auc"), (std::vector<double>{0, 15}));
  EXPECT_EQ(resampled.at("mean_popularity"), (std::vector<double>{14, 29}));
  const MetricColumns per_user = unpack_doubles_of_layout_1(pack(std::vector<double>(rows.begin(), rows.begin() + 14)));
  EXPECT_EQ(per_user.size(), 7u);
  EXPECT_EQ(per_user.at("ndcg"), (std::vector<double>{0, 1}));
  EXPECT_EQ(per_user.at("user_auc"), (std::vector<double>{12, 13}));
}

TEST(MetricColumns, RefusesWhatDoesNotFit) {
  EXPECT_THROW(unpack_doubles({R"(["auc","acc"])", pack(std::vector<double>{1, 2, 3})}), CheckError);
  EXPECT_THROW(unpack_doubles({"[]", pack(std::vector<double>{1})}), CheckError);
  EXPECT_THROW(unpack_doubles({R"(["auc"])", "seven b"}), CheckError);
  EXPECT_THROW(unpack_floats_of_layout_1(pack(std::vector<float>(14))), CheckError);
}

}  // namespace
}  // namespace equipoise
