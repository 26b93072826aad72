// Run stores of every layout ever released, kept in tests/golden and read for ever.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "compare/results.h"
#include "core/error.h"
#include "core/file.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

namespace fs = std::filesystem;

double number(const Json& value) { return value.is_null() ? std::nan("") : value.as_double(); }

void expect_same(double value, double expected, const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(value)) << what;
  } else {
    EXPECT_NEAR(value, expected, 1e-9) << what;
  }
}

class GoldenStore : public ::testing::TestWithParam<std::string> {
 protected:
  // A reader needs to write beside the file, so that it reads a copy.
  void SetUp() override {
    golden_ = fs::path(EQUIPOISE_GOLDEN) / GetParam();
    fs::copy(golden_ / "runs.sqlite", folder_ / "runs.sqlite");
  }

  fs::path golden_;
  test::TempFolder folder_;
};

TEST_P(GoldenStore, GivesTheFiguresThatItHad) {
  const RunStore store = RunStore::open(folder_.path());
  const Results results(store);
  const std::string source = results.plan().sources.front().name, protocol = results.protocols(source).front();
  const Json expected = parse_json(read_file((golden_ / "cells.json").string()), "cells.json");
  std::size_t seen = 0;
  for (const Json& one : expected.as_array()) {
    const std::string metric = one.at("metric").as_string(), arm = one.at("arm").as_string();
    for (const Cell& cell : results.cells(source, protocol, metric)) {
      if (cell.arm != arm) continue;
      ++seen;
      expect_same(cell.mean, number(one.at("mean")), arm + " " + metric);
      if (GetParam() == "runs1" && find_metric(metric).interval != IntervalRule::percentile) continue;  // not recentred
      expect_same(cell.low, number(one.at("low")), arm + " low " + metric);
      expect_same(cell.high, number(one.at("high")), arm + " high " + metric);
    }
  }
  EXPECT_EQ(seen, expected.as_array().size());
  EXPECT_GT(seen, 0u);
}

// rmse came after layout 1.
TEST_P(GoldenStore, AMetricThatItLacksIsUnknown) {
  const RunStore store = RunStore::open(folder_.path());
  const Results results(store);
  const std::string source = results.plan().sources.front().name, protocol = results.protocols(source).front();
  for (const Cell& cell : results.cells(source, protocol, "rmse")) {
    EXPECT_EQ(std::isnan(cell.mean), GetParam() == "runs1") << cell.arm;
    EXPECT_EQ(std::isnan(cell.low), GetParam() == "runs1") << cell.arm;
    EXPECT_EQ(cell.runs, 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, GoldenStore, ::testing::Values("runs1", "runs2"));

TEST(GoldenStore1, IsReadAndNotAddedTo) {
  test::TempFolder folder;
  fs::copy(fs::path(EQUIPOISE_GOLDEN) / "runs1" / "runs.sqlite", folder / "runs.sqlite");
  const Plan plan = RunStore::open(folder.path()).plan();
  try {
    RunStore::create(folder.path(), plan);
    FAIL() << "an earlier layout was opened to be added to";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("can be read but not added to"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace equipoise
