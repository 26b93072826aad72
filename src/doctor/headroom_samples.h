// Equal samples of a log and of a random part, for one fold of the measurement of headroom.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

struct HeadroomSamples {
  Rows random;              // to learn from
  std::array<Rows, 2> log;  // to learn from, as many rows of every user; disjoint
  Rows stopping, judging;   // random rows
};

/// The fold of every row of valid: each user's rows are spread evenly, in a drawn order.
std::vector<int> random_folds(const Rows& valid, std::int32_t users, int folds, std::uint64_t seed);

/// Fold f judges and the next one stops; at most `most` of the other rows are learned from.
HeadroomSamples headroom_samples(const Dataset& data, const std::vector<int>& fold_of, int folds, int fold,
                                 std::size_t most, std::uint64_t seed);

}  // namespace equipoise
