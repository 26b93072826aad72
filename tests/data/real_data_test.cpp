// Imports of real data sets have the published sizes; skipped where the data is not there.
#include "real_data.h"

#include <gtest/gtest.h>

#include "data/import_helpers.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::import_from;
using test::number;
using test::TempFolder;

TEST(RealData, Coat) {
  NEEDS_REAL_DATA(folder, "coat");
  EXPECT_EQ(import_from("coat", {folder}).train.size(), 6960u - 366) << "leaks are removed";
  const Dataset data = import_from("coat", {folder}, {{"keep_leaks", "true"}});
  EXPECT_EQ(data.users.size(), 290);
  EXPECT_EQ(data.items.size(), 300);
  EXPECT_EQ(data.train.size(), 6960u);
  EXPECT_EQ(data.train.propensity.size(), 6960u);
  EXPECT_EQ(data.valid.size(), 87u * 16);  // 0.3 of 290 users, 16 random coats each
  EXPECT_EQ(data.test.size(), 203u * 16);
  EXPECT_EQ(number(data, "leaks_kept"), 366);
  EXPECT_EQ(data.user_features.categorical.size(), 4u);
  EXPECT_EQ(data.item_features.categorical.size(), 4u);
  for (const CategoricalField& one : data.user_features.categorical) EXPECT_FALSE(one.tags);
  check_trainable(data);
  const TempFolder out;
  write_dataset(data, out / "coat");
  EXPECT_EQ(read_dataset(out / "coat").fingerprint(), data.fingerprint());
}

TEST(RealData, Pcic) {
  NEEDS_REAL_DATA(folder, "pcic");
  const Dataset data = import_from("pcic", {folder});
  EXPECT_EQ(data.users.size(), 1000);
  EXPECT_EQ(data.items.size(), 1720);
  EXPECT_EQ(data.train.size(), 19121u);
  EXPECT_EQ(data.valid.size() + data.test.size(), 2039u);
  EXPECT_EQ(number(data, "leaks_removed"), 300);
  check_trainable(data);
  EXPECT_EQ(import_from("pcic", {folder}, {{"keep_leaks", "true"}}).train.size(), 19421u);
}

TEST(RealData, Movielens) {
  NEEDS_REAL_DATA(folder, "ml-100k");
  const Dataset data = import_from("movielens", {folder});
  EXPECT_EQ(data.users.size(), 943);
  EXPECT_EQ(data.items.size(), 1682);
  EXPECT_EQ(data.train.size() + data.valid.size() + data.test.size(), 100000u);
  EXPECT_NEAR(static_cast<double>(data.test.size()), 20000, 200);
  EXPECT_NEAR(static_cast<double>(data.valid.size()), 10000, 200);
  EXPECT_EQ(number(data, "leaks_removed"), 0);
  // Validation and test lean to uniform items: the mean frequency of their items is well below that of a plain split.
  const auto mean = [](const Dataset& log) {
    std::vector<double> frequency(1682);
    for (const Rows* rows : {&log.train, &log.valid, &log.test}) {
      for (const int i : rows->item) ++frequency[static_cast<std::size_t>(i)];
    }
    double sum = 0;
    for (const int i : log.test.item) sum += frequency[static_cast<std::size_t>(i)];
    return sum / static_cast<double>(log.test.size());
  };
  EXPECT_LT(mean(data), 0.6 * mean(import_from("movielens", {folder}, {{"resample", "false"}})));
  check_trainable(data);
}

}  // namespace
}  // namespace equipoise
