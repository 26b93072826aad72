// Poisson factorisation of exposure: how often a user is expected to be shown an item, â_ui = π_u · λ_i.
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

struct PoissonFactors {
  std::size_t width = 0;
  std::vector<double> user;  // (users × width) π; 0 for users without rows
  std::vector<double> item;  // (items × width) λ; 0 for items without rows

  double rate(std::size_t u, std::size_t i) const;
};

/// Fitted to the pairs of the log by so many passes of expectation maximisation, with a gamma prior on every factor. It
/// depends on the log and the seed alone.
PoissonFactors factorise_exposure(const Rows& log, std::int32_t users, std::int32_t items, int width, int passes,
                                  std::uint64_t seed);

}  // namespace equipoise
