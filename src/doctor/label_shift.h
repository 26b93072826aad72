// Labels of shown rows against those of the unbiased part: how far users were shown what they like.
#pragma once

#include <array>
#include <span>

#include "core/json.h"
#include "data/dataset.h"

namespace equipoise {

/// A share of positive labels with its 95% interval; rows of a user count as a cluster.
struct PositiveShare {
  std::size_t rows = 0;
  double share = 0;
  double low = 0, high = 0;
};

struct LabelShift {
  PositiveShare shown, unbiased;
  double difference = 0;  // shown − unbiased
  double standard_error = 0;
  double p_value = 1;  // of no difference; normal, users as clusters; a user may be on both sides
  /// The shares by items: the least, the middle and the most shown third of the unbiased rows' items.
  struct Third {
    PositiveShare shown, unbiased;
  };
  std::array<Third, 3> by_popularity;
};

/// `counts`: training rows of each item. Both parts must have rows.
LabelShift label_shift(const Rows& shown, const Rows& unbiased, std::size_t users, std::span<const double> counts);
Json to_json(const LabelShift& finding);

}  // namespace equipoise
