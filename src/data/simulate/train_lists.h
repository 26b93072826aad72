// A user's list of train by the law lists: drawn without replacement, with the chances of its items on request.
#pragma once

#include <cstdint>
#include <vector>

#include "core/place_integral.h"
#include "core/random.h"
#include "data/simulate/simulate.h"

namespace equipoise {

/// Draws one list after another; keeps its working memory.
class TrainLists {
 public:
  explicit TrainLists(const SimulateParams& params)
      : length_(static_cast<std::size_t>(params.list_length)), with_chances_(params.propensity) {}

  /// Places in `odds` of the items drawn; `chances()` belong to them.
  const std::vector<std::uint32_t>& draw(const std::vector<double>& odds, Stream& stream);
  /// The chance of each item drawn to be anywhere in the list; empty unless asked for.
  const std::vector<float>& chances() const { return chances_; }

 private:
  void compute_chances(const std::vector<double>& odds);

  std::size_t length_;
  bool with_chances_;
  std::vector<std::uint32_t> drawn_, order_;
  std::vector<float> chances_;
  std::vector<std::size_t> place_;  // (items) in the order of descending odds
  std::vector<double> descending_;  // (items) odds in that order, as shares of the largest
  std::vector<PlaceIntegral::Listed> listed_;
  PlaceIntegral integral_;
};

}  // namespace equipoise
