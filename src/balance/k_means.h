// k-means: rows of numbers in clusters, the same for the same rows and seed.
#pragma once

#include <cstdint>
#include <vector>

#include "grad/matrix.h"

namespace equipoise {

/// The cluster, 0 … clusters − 1, of each row. The first centres are rows drawn by their distance from those before
/// (k-means++), by a stream of that seed; then at most 50 turns. Fewer clusters where there are fewer different rows.
std::vector<std::int32_t> k_means(const Matrix& rows, std::size_t clusters, std::uint64_t seed);

}  // namespace equipoise
