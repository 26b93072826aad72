// Drawing Plackett-Luce lists, and the chances of their beginnings.
#include "policy/plackett_luce.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace equipoise {

namespace {

// Odds further apart count as this far apart, so that every item of the pool keeps a chance that is a number.
constexpr double kLowest = -300;

}  // namespace

void PlackettLuce::pose(std::span<const Recommended> pool, double temperature) {
  items_.clear(), log_odds_.clear(), odds_.clear();
  for (const Recommended& item : pool) {
    EQUIPOISE_DEBUG_ASSERT(item.score <= pool.front().score);
    const double below = (static_cast<double>(item.score) - static_cast<double>(pool.front().score)) / temperature;
    items_.push_back(item.item);
    log_odds_.push_back(std::max(below, kLowest));
    odds_.push_back(std::exp(log_odds_.back()));
  }
}

void PlackettLuce::draw(std::size_t length, Stream& stream, std::vector<std::int32_t>& list) {
  keys_.clear();
  for (std::size_t i = 0; i < items_.size(); ++i) {
    keys_.emplace_back(-(log_odds_[i] - std::log(-std::log1p(-stream.uniform()))), items_[i]);
  }
  const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(length);
  std::partial_sort(keys_.begin(), end, keys_.end());
  for (auto key = keys_.begin(); key != end; ++key) list.push_back(key->second);
}

// P(first j) = Π over them of odds ÷ odds of all that are left. What is left is summed from the end of the list, not
// subtracted from the whole, so that it is exact also where the best items have nearly all the odds.
void PlackettLuce::chances(std::span<const std::int32_t> list, std::span<PlacedChance> out) {
  listed_.clear(), asked_.clear();
  double left = 0;
  for (const std::int32_t item : list) {
    const auto at = std::find(items_.begin(), items_.end(), item);
    listed_.push_back(at == items_.end() ? -1 : static_cast<std::int32_t>(at - items_.begin()));
  }
  for (std::size_t i = items_.size(); i-- > 0;) {
    if (std::find(listed_.begin(), listed_.end(), static_cast<std::int32_t>(i)) == listed_.end()) left += odds_[i];
  }
  left_.assign(list.size(), 0);
  for (std::size_t j = list.size(); j-- > 0;) {
    if (listed_[j] >= 0) left += odds_[static_cast<std::size_t>(listed_[j])];
    left_[j] = left;
  }
  double log_prefix = 0;
  for (std::size_t j = 0; j < list.size(); ++j) {
    out[j] = {};
    if (listed_[j] < 0) {
      log_prefix = -std::numeric_limits<double>::infinity();
    } else {
      log_prefix += log_odds_[static_cast<std::size_t>(listed_[j])] - std::log(left_[j]);
      asked_.push_back({static_cast<std::size_t>(listed_[j]), j, 0, 0});
    }
    out[j].log_prefix = log_prefix;
  }
  integral_.compute(odds_, list.size(), asked_);
  for (const PlaceIntegral::Listed& item : asked_) {
    out[item.place].at_place = item.at_place, out[item.place].in_list = item.in_list;
  }
}

void PlackettLuce::all_chances(std::size_t length, std::size_t place, std::span<PlacedChance> out) {
  asked_.clear();
  for (std::size_t i = 0; i < odds_.size(); ++i) asked_.push_back({i, place, 0, 0});
  integral_.compute(odds_, length, asked_);
  for (std::size_t i = 0; i < odds_.size(); ++i) out[i] = {0, asked_[i].at_place, asked_[i].in_list};
}

double PlackettLuce::next(std::span<const std::int32_t> above, std::span<double> out) {
  std::copy(odds_.begin(), odds_.end(), out.begin());
  double log_prefix = 0;
  const auto left = [&] {
    double sum = 0;
    for (std::size_t i = out.size(); i-- > 0;) sum += out[i];
    return sum;
  };
  for (const std::int32_t item : above) {
    const auto at = std::find(items_.begin(), items_.end(), item);
    if (at == items_.end()) return -std::numeric_limits<double>::infinity();
    double& odds = out[static_cast<std::size_t>(at - items_.begin())];
    log_prefix += std::log(odds / left());
    odds = 0;
  }
  const double sum = left();
  for (double& odds : out) odds = sum > 0 ? odds / sum : 0;
  return log_prefix;
}

}  // namespace equipoise
