// Label shift: shares with errors by users, their difference, and the same for thirds of the items.
#include "doctor/label_shift.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "doctor/statistics.h"
#include "eval/distributions.h"

namespace equipoise {

namespace {

constexpr double kNormal95 = 1.959964;

using Filter = std::function<bool(std::int32_t)>;

ClusteredMean positives(const Rows& rows, std::size_t users, const Filter& takes_item) {
  std::vector<double> sums(users, 0.0), counts(users, 0.0);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (!takes_item(rows.item[t])) continue;
    sums[static_cast<std::size_t>(rows.user[t])] += rows.label[t];
    counts[static_cast<std::size_t>(rows.user[t])] += 1;
  }
  return clustered_mean(sums, counts);
}

PositiveShare share_of(const Rows& rows, const ClusteredMean& mean, const Filter& takes_item) {
  PositiveShare out;
  out.rows = static_cast<std::size_t>(std::count_if(rows.item.begin(), rows.item.end(), takes_item));
  out.share = mean.value;
  out.low = std::max(0.0, mean.value - kNormal95 * mean.standard_error);
  out.high = std::min(1.0, mean.value + kNormal95 * mean.standard_error);
  return out;
}

// The third of each item: its place among the unbiased rows, sorted by how often their items were shown. Items with
// equal counts stay together.
std::vector<int> thirds(const Rows& unbiased, std::span<const double> counts) {
  std::vector<double> sorted;
  for (const std::int32_t i : unbiased.item) sorted.push_back(counts[static_cast<std::size_t>(i)]);
  std::sort(sorted.begin(), sorted.end());
  const double low = sorted[sorted.size() / 3], high = sorted[sorted.size() * 2 / 3];
  std::vector<int> out;
  for (const double count : counts) out.push_back(count < low ? 0 : count < high ? 1 : 2);
  return out;
}

Json share_json(const PositiveShare& share) {
  return Json::object({{"rows", static_cast<std::int64_t>(share.rows)},
                       {"positive_share", share.rows > 0 ? Json(share.share) : Json()},
                       {"low", share.rows > 0 ? Json(share.low) : Json()},
                       {"high", share.rows > 0 ? Json(share.high) : Json()}});
}

}  // namespace

LabelShift label_shift(const Rows& shown, const Rows& unbiased, std::size_t users, std::span<const double> counts) {
  LabelShift out;
  const Filter all = [](std::int32_t) { return true; };
  const ClusteredMean a = positives(shown, users, all), b = positives(unbiased, users, all);
  out.shown = share_of(shown, a, all);
  out.unbiased = share_of(unbiased, b, all);
  out.difference = a.value - b.value;
  double squares = 0;
  for (std::size_t u = 0; u < users; ++u) squares += std::pow(a.influence[u] - b.influence[u], 2);
  out.standard_error = std::sqrt(squares);
  if (squares > 0) out.p_value = normal_two_sided(out.difference / out.standard_error);
  const std::vector<int> third = thirds(unbiased, counts);
  for (int k = 0; k < 3; ++k) {
    const Filter takes = [&](std::int32_t i) { return third[static_cast<std::size_t>(i)] == k; };
    out.by_popularity[static_cast<std::size_t>(k)] = {share_of(shown, positives(shown, users, takes), takes),
                                                      share_of(unbiased, positives(unbiased, users, takes), takes)};
  }
  return out;
}

Json to_json(const LabelShift& finding) {
  Json out = Json::object({{"shown", share_json(finding.shown)},
                           {"unbiased", share_json(finding.unbiased)},
                           {"difference", finding.difference},
                           {"standard_error", finding.standard_error},
                           {"p_value", finding.p_value}});
  const std::array<const char*, 3> names = {"least_shown_items", "middle_items", "most_shown_items"};
  for (std::size_t k = 0; k < 3; ++k) {
    out["by_popularity"][names[k]] = Json::object({{"shown", share_json(finding.by_popularity[k].shown)},
                                                   {"unbiased", share_json(finding.by_popularity[k].unbiased)}});
  }
  return out;
}

}  // namespace equipoise
