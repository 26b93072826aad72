// How often the interval of coverage holds what it estimates: the coverage that as many other users would have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "eval/bootstrap.h"
#include "eval/metric.h"
#include "eval/shown_items.h"

namespace equipoise {
namespace {

/// Users who are each shown k different items, drawn by weights (place + 1)^−steepness.
struct Law {
  std::size_t users, items, k;
  double steepness;
};

ShownItems draw(const Law& law, Stream& stream) {
  std::vector<double> below{0};
  for (std::size_t i = 0; i < law.items; ++i) {
    below.push_back(below.back() + std::pow(static_cast<double>(i + 1), -law.steepness));
  }
  ShownItems shown(std::vector<double>(law.items, 1), law.users);
  for (std::size_t user = 0; user < law.users; ++user) {
    std::vector<std::int32_t> list;
    while (list.size() < law.k) {
      const double at = stream.uniform() * below.back();
      const auto item = static_cast<std::int32_t>(std::upper_bound(below.begin(), below.end(), at) - below.begin()) - 1;
      if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
    }
    shown.add(user, list);
  }
  shown.finish();
  return shown;
}

double value(const ShownItems& shown, Counts counts) {
  return std::get<OfShown>(find_metric("coverage").function).value(shown.totals(counts));
}

/// The share of logs whose interval holds the mean coverage of all logs.
double held(const Law& law, int logs, int replicates) {
  std::vector<Interval> intervals;
  double mean = 0;
  for (int log = 0; log < logs; ++log) {
    Stream stream(5, "coverage", static_cast<std::uint64_t>(log));
    const ShownItems shown = draw(law, stream);
    const double estimate = value(shown, {});
    mean += estimate / logs;
    std::vector<double> resampled;
    for (int r = 0; r < replicates; ++r) resampled.push_back(value(shown, resample(law.users, stream)));
    intervals.push_back(interval(find_metric("coverage").interval, resampled, estimate));
  }
  int count = 0;
  for (const Interval& range : intervals) count += range.low <= mean && mean <= range.high;
  return static_cast<double>(count) / logs;
}

TEST(CoverageInterval, HoldsTheCoverageOfOtherUsersAsOftenAsItSays) {
  const Law laws[] = {{40, 400, 5, 0},    // most shown items are shown to one user only
                      {60, 300, 5, 0.8},  // as a model shows: some to many, many to one
                      {60, 300, 5, 1.5},
                      {200, 300, 5, 0.8},
                      {200, 300, 5, 0}};
  for (const Law& law : laws) {
    const double share = held(law, 300, 200);
    EXPECT_GE(share, 0.92) << law.users << " users, steepness " << law.steepness;  // 0.95 − 2.4 deviations of 0.0126
  }
}

}  // namespace
}  // namespace equipoise
