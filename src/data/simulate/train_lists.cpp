// Drawing a list, and the exact chances of its items.
#include "data/simulate/train_lists.h"

#include <algorithm>
#include <numeric>

#include "data/draw.h"

namespace equipoise {

const std::vector<std::uint32_t>& TrainLists::draw(const std::vector<double>& odds, Stream& stream) {
  drawn_ = draw_without_replacement(odds, length_, stream);
  if (with_chances_) compute_chances(odds);
  return drawn_;
}

void TrainLists::compute_chances(const std::vector<double>& odds) {
  order_.resize(odds.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return odds[a] > odds[b]; });
  place_.resize(odds.size()), descending_.resize(odds.size());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    place_[order_[k]] = k;
    descending_[k] = odds[order_[k]] / odds[order_[0]];
  }
  listed_.clear();
  for (const std::uint32_t item : drawn_) listed_.push_back({place_[item], 0, 0, 0});
  integral_.compute(descending_, length_, listed_);
  chances_.clear();
  for (const PlaceIntegral::Listed& item : listed_) chances_.push_back(static_cast<float>(item.in_list));
}

}  // namespace equipoise
