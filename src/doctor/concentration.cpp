// Concentration of exposure from the items' row counts, sorted.
#include "doctor/concentration.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "eval/shown_items.h"

namespace equipoise {

Concentration concentration(std::span<const double> rows) {
  Concentration out;
  std::vector<double> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  if (total <= 0) return out;
  const auto items = static_cast<double>(sorted.size());
  const auto top = [&](double share) {
    const auto count = static_cast<std::ptrdiff_t>(std::max(1.0, std::round(share * items)));
    return std::accumulate(sorted.begin(), sorted.begin() + count, 0.0) / total;
  };
  out.gini = gini(rows);
  out.top_1_percent = top(0.01);
  out.top_10_percent = top(0.1);
  out.never_shown = static_cast<std::size_t>(std::count(sorted.begin(), sorted.end(), 0.0));
  for (std::size_t r = 0; r < sorted.size(); ++r) out.tenths[r * 10 / sorted.size()] += sorted[r] / total;
  return out;
}

Json to_json(const Concentration& finding) {
  Json tenths = Json::array();
  for (const double share : finding.tenths) tenths.push_back(share);
  return Json::object({{"gini", finding.gini},
                       {"top_1_percent_share", finding.top_1_percent},
                       {"top_10_percent_share", finding.top_10_percent},
                       {"items_never_shown", static_cast<std::int64_t>(finding.never_shown)},
                       {"share_by_tenth_of_items", std::move(tenths)}});
}

}  // namespace equipoise
