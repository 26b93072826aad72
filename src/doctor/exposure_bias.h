// Whether a log's exposure is biased: items shown unequally, or users shown different items.
#pragma once

#include <cstdint>

#include "core/json.h"
#include "core/params.h"
#include "data/dataset.h"
#include "doctor/concentration.h"
#include "doctor/item_uniformity.h"
#include "doctor/user_dependence.h"

namespace equipoise {

struct ExposureBiasParams {
  double level = 0.05;
  int shuffles = 199;
  int shuffle_rows = 60000;

  void describe(Params& p);
};

struct ExposureBias {
  Concentration concentration;
  ItemUniformity items;
  UserDependence users;
  std::int64_t shuffled_rows = 0;  // of how many training rows `users` tells
  double level = 0.05;
  double p_value = 1;  // twice the smaller of the two tests', at most 1: both together err no more often than one

  bool biased() const { return p_value < level; }
  /// Holm's rule: the smaller p-value must be below half the level, then the other one below the level.
  bool by_item() const { return biased() && items.p_value < level; }
  bool by_user() const { return biased() && users.p_value < level; }
};

/// Of the training part.
ExposureBias exposure_bias(const Dataset& data, const ExposureBiasParams& params, std::uint64_t seed);

}  // namespace equipoise
