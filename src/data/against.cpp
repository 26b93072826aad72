// The laws of items drawn against rows: counted once.
#include "data/against.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace equipoise {

ItemLaw::ItemLaw(const Rows& log, std::int32_t items, double power, const std::vector<std::uint8_t>& left_out)
    : items_(static_cast<std::uint32_t>(items)) {
  if (power == 0 && left_out.empty()) return;
  chances_.assign(items_, 0.0);
  for (const std::int32_t item : log.item) chances_[static_cast<std::size_t>(item)] += 1;
  for (std::size_t i = 0; i < chances_.size(); ++i) {
    const double odds = power == 0 ? 1.0 : chances_[i] > 0 ? std::pow(chances_[i], power) : 0.0;
    chances_[i] = left_out.empty() || left_out[i] == 0 ? odds : 0.0;
  }
  table_.emplace(chances_);
  const double total = std::accumulate(chances_.begin(), chances_.end(), 0.0);
  for (double& odds : chances_) odds /= total;
}

// Who has rows has them of items that are not withheld, so there is always one to draw; who has none is never asked
// for.
ItemLaws::ItemLaws(const Rows& log, std::int32_t items, double power, const Withheld& withheld)
    : law_(log, items, power) {
  if (std::none_of(log.user.begin(), log.user.end(), [&](std::int32_t u) { return withheld.of(u); })) return;
  withheld_ = &withheld;
  others_ = ItemLaw(log, items, power, withheld.items);
}

}  // namespace equipoise
