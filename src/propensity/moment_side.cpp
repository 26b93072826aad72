// Sides of moments: columns centred over those that occur, and turned into their main directions.
#include "propensity/moment_side.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ordered_sum.h"
#include "core/symmetric.h"

namespace equipoise {

namespace {

constexpr double kNothing = 1e-9;  // of the largest variance: what rounding leaves of a direction that does not vary

// Calls f(entity's row, partial) for pieces of 128 entities, and gives the sum ÷ how many there are.
template <class F>
std::vector<double> mean_over(const Matrix& columns, std::span<const std::int32_t> present, std::size_t size,
                              Pool& pool, F f) {
  std::vector<double> out(size, 0.0);
  ordered_sum(pool, chunks(present.size()), out, [&](std::size_t piece, double* partial) {
    for (std::size_t e = piece * kChunk; e < std::min(present.size(), (piece + 1) * kChunk); ++e) {
      f(columns.row(static_cast<std::size_t>(present[e])), partial);
    }
  });
  for (double& v : out) v /= static_cast<double>(present.size());
  return out;
}

}  // namespace

MomentSide moment_side(const Matrix& columns, std::span<const std::int32_t> present, std::size_t most, Pool& pool) {
  const std::size_t d = columns.cols;
  const std::vector<double> mean = mean_over(columns, present, d, pool, [&](const float* row, double* sum) {
    for (std::size_t k = 0; k < d; ++k) sum[k] += row[k];
  });
  const std::vector<double> spread = mean_over(columns, present, d * d, pool, [&](const float* row, double* sum) {
    for (std::size_t j = 0; j < d; ++j) {
      const double x = row[j] - mean[j];
      for (std::size_t k = 0; k < d; ++k) sum[j * d + k] += x * (row[k] - mean[k]);
    }
  });
  const MainDirections main = main_directions(spread, d, most);
  std::size_t kept = 0;
  while (kept < main.values.size() && main.values[kept] > kNothing * std::max(main.values[0], 1e-30)) ++kept;
  MomentSide out;
  out.width = kept + 1;
  out.values.resize(columns.rows * out.width);
  pool.run(chunks(columns.rows), [&](std::size_t piece) {
    for (std::size_t e = piece * kChunk; e < std::min(columns.rows, (piece + 1) * kChunk); ++e) {
      double* to = out.values.data() + e * out.width;
      to[0] = 1;
      for (std::size_t c = 0; c < kept; ++c) {
        double along = 0;
        for (std::size_t k = 0; k < d; ++k) along += main.vectors[c * d + k] * (columns.row(e)[k] - mean[k]);
        to[c + 1] = along / std::sqrt(main.values[c]);
      }
    }
  });
  return out;
}

Columns group_columns(const Groups& groups) {
  Columns out;
  const std::size_t items = groups.offsets.size() - 1;
  out.width = groups.count;
  out.values.assign(items * out.width, 0.0f);
  for (std::size_t i = 0; i < items; ++i) {
    for (const std::int32_t group : groups.of(static_cast<std::int32_t>(i))) {
      out.values[i * out.width + static_cast<std::size_t>(group)] = 1;
    }
  }
  return out;
}

std::vector<std::int32_t> entities_with_rows(std::span<const std::int32_t> of_rows, std::size_t count) {
  std::vector<bool> present(count, false);
  for (const std::int32_t e : of_rows) present[static_cast<std::size_t>(e)] = true;
  std::vector<std::int32_t> out;
  for (std::size_t e = 0; e < count; ++e) {
    if (present[e]) out.push_back(static_cast<std::int32_t>(e));
  }
  return out;
}

}  // namespace equipoise
