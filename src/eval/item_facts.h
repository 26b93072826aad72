// What the metrics of shown items know of the items.
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

struct ItemFacts {
  explicit ItemFacts(const Dataset& data);

  std::vector<double> popularity;         // (items) rows of train
  std::vector<std::int32_t> place_by_id;  // (items) in the order of their ids as texts: how `recommend` breaks ties
};

}  // namespace equipoise
