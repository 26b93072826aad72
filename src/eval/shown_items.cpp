// Coverage, Gini and mean popularity of shown items.
#include "eval/shown_items.h"

#include <algorithm>
#include <cmath>

namespace equipoise {

double gini(std::span<const double> amounts) {
  // Items with nothing come first in the order and add nothing, so only the others are sorted.
  std::vector<double> x;
  for (const double amount : amounts) {
    if (amount > 0) x.push_back(amount);
  }
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(amounts.size());
  const std::size_t zeros = amounts.size() - x.size();
  double sum = 0, weighted = 0;
  for (std::size_t r = 0; r < x.size(); ++r) {
    sum += x[r];
    weighted += (2 * static_cast<double>(zeros + r + 1) - n - 1) * x[r];
  }
  return weighted / (n * sum);
}

ShownItems::ShownItems(std::vector<double> popularity, std::size_t users)
    : popularity_(std::move(popularity)), popularity_sum_(users), shown_(users) {}

void ShownItems::add(std::size_t slot, std::span<const std::int32_t> shown) {
  for (const std::int32_t item : shown) {
    item_.push_back(item);
    slot_.push_back(static_cast<std::uint32_t>(slot));
    popularity_sum_[slot] += popularity_[static_cast<std::size_t>(item)];
  }
  shown_[slot] += static_cast<std::uint32_t>(shown.size());
}

void ShownItems::finish() {
  constexpr std::int64_t kNobody = -1, kSeveral = -2;
  std::vector<std::int64_t> to(popularity_.size(), kNobody);  // (items) to whom it is shown
  for (std::size_t s = 0; s < item_.size(); ++s) {
    std::int64_t& who = to[static_cast<std::size_t>(item_[s])];
    const std::int64_t slot = slot_[s];
    who = who == kNobody || who == slot ? slot : kSeveral;
  }
  alone_.assign(shown_.size(), 0);
  covered_ = 0;
  for (const std::int64_t who : to) {
    if (who != kNobody) covered_ += 1;
    if (who >= 0) alone_[static_cast<std::size_t>(who)] += 1;
  }
}

ShownTotals ShownItems::totals(std::span<const std::uint32_t> counts) const {
  auto times = [&](std::size_t slot) { return counts.empty() ? 1.0 : static_cast<double>(counts[slot]); };
  ShownTotals totals;
  totals.times.resize(popularity_.size());
  for (std::size_t s = 0; s < item_.size(); ++s) totals.times[static_cast<std::size_t>(item_[s])] += times(slot_[s]);
  double sum = 0, users = 0, covered = covered_;
  for (std::size_t slot = 0; slot < shown_.size(); ++slot) {
    if (shown_[slot] == 0) continue;
    covered += (times(slot) - 1) * alone_[slot];
    sum += times(slot) * popularity_sum_[slot] / shown_[slot];
    users += times(slot);
  }
  totals.covered = std::clamp(covered, 0.0, static_cast<double>(popularity_.size()));
  totals.mean_popularity = sum / users;
  return totals;
}

}  // namespace equipoise
