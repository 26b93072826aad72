// k-means by Lloyd's turns from drawn centres, one row after another.
#include "balance/k_means.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "balance/squared.h"
#include "core/random.h"

namespace equipoise {

namespace {

constexpr int kMostTurns = 50;

// Rows drawn one by one with a chance ∝ the squared distance to the nearest row drawn before: (at most clusters ×
// width).
Floats first_centres(const Matrix& rows, std::size_t clusters, Stream stream) {
  Floats centres;
  std::vector<double> distance(rows.rows, std::numeric_limits<double>::infinity());
  std::size_t chosen = stream.below(static_cast<std::uint32_t>(rows.rows));
  while (true) {
    centres.insert(centres.end(), rows.row(chosen), rows.row(chosen) + rows.cols);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      distance[r] = std::min(distance[r], squared_distance(rows.row(r), rows.row(chosen), rows.cols));
    }
    const double total = std::accumulate(distance.begin(), distance.end(), 0.0);
    if (centres.size() == clusters * rows.cols || total <= 0) return centres;
    double left = total * stream.uniform();
    for (chosen = 0; chosen + 1 < rows.rows && left >= distance[chosen]; ++chosen) left -= distance[chosen];
  }
}

// The nearest centre; of equally near ones the first.
std::int32_t nearest(const float* row, const Matrix& centres) {
  std::int32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < centres.rows; ++c) {
    const double distance = squared_distance(row, centres.row(c), centres.cols);
    if (distance < least) least = distance, best = static_cast<std::int32_t>(c);
  }
  return best;
}

// Each centre becomes the mean of its rows; one without rows stays.
void move_centres(const Matrix& rows, const std::vector<std::int32_t>& cluster, const Matrix& centres) {
  std::vector<double> sums(centres.size(), 0.0), counts(centres.rows, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const auto c = static_cast<std::size_t>(cluster[r]);
    counts[c] += 1;
    for (std::size_t k = 0; k < rows.cols; ++k) sums[c * rows.cols + k] += rows.row(r)[k];
  }
  for (std::size_t c = 0; c < centres.rows; ++c) {
    for (std::size_t k = 0; counts[c] > 0 && k < rows.cols; ++k) {
      centres.row(c)[k] = static_cast<float>(sums[c * rows.cols + k] / counts[c]);
    }
  }
}

}  // namespace

std::vector<std::int32_t> k_means(const Matrix& rows, std::size_t clusters, std::uint64_t seed) {
  std::vector<std::int32_t> cluster(rows.rows, -1);
  if (rows.rows == 0) return cluster;
  Floats memory = first_centres(rows, clusters, Stream(seed, "first centres"));
  const Matrix centres{memory.data(), memory.size() / rows.cols, rows.cols};
  for (int turn = 0; turn < kMostTurns; ++turn) {
    bool moved = false;
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const std::int32_t now = nearest(rows.row(r), centres);
      moved = moved || now != cluster[r];
      cluster[r] = now;
    }
    if (!moved) break;
    move_centres(rows, cluster, centres);
  }
  return cluster;
}

}  // namespace equipoise
