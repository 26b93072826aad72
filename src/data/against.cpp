// The law of items drawn against rows: counted once.
#include "data/against.h"

#include <cmath>
#include <numeric>

namespace equipoise {

ItemLaw::ItemLaw(const Rows& log, std::int32_t items, double power) : items_(static_cast<std::uint32_t>(items)) {
  if (power == 0) return;
  chances_.assign(items_, 0.0);
  for (const std::int32_t item : log.item) chances_[static_cast<std::size_t>(item)] += 1;
  for (double& odds : chances_) odds = odds > 0 ? std::pow(odds, power) : 0.0;
  table_.emplace(chances_);
  const double total = std::accumulate(chances_.begin(), chances_.end(), 0.0);
  for (double& odds : chances_) odds /= total;
}

}  // namespace equipoise
