// Some of a data set's users, with all their training rows: what is fitted or shuffled many times, of a large log.
#pragma once

#include <cstdint>

#include "data/dataset.h"

namespace equipoise {

/// Users drawn by seed until they have `most_rows` training rows; they are numbered anew, in their old order. Items,
/// item features, valid rows of the chosen users and the training part's columns stay; test rows do not. A log that is
/// small enough comes back whole. Users with so many rows that there are twice `most_rows` keep `most_rows` of them,
/// drawn by seed.
Dataset sample_users(const Dataset& data, std::size_t most_rows, std::uint64_t seed);

}  // namespace equipoise
