// Features as centred columns, scaled field by field, and codes of items.
#include "propensity/columns.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "core/random.h"

namespace equipoise {

namespace {

using Column = std::vector<double>;

// Takes the mean from each column of a field and divides all by the root of their summed variance, both over the
// counted rows.
void add_field(std::vector<Column> field, std::span<const std::int32_t> counted, std::vector<Column>& all) {
  double variance = 0;
  for (Column& column : field) {
    double n = 0, sum = 0, squares = 0;
    for (const std::int32_t row : counted) {
      const double v = column[static_cast<std::size_t>(row)];
      if (!std::isnan(v)) n += 1, sum += v;
    }
    for (double& v : column) v = std::isnan(v) || n == 0 ? 0 : v - sum / n;
    for (const std::int32_t row : counted) {
      const double v = column[static_cast<std::size_t>(row)];
      squares += v * v;
    }
    variance += squares / static_cast<double>(counted.size());
  }
  if (variance < 1e-12) return;
  for (Column& column : field) {
    for (double& v : column) v /= std::sqrt(variance);
    all.push_back(std::move(column));
  }
}

std::vector<Column> indicators(const CategoricalField& field, std::size_t rows) {
  std::vector<Column> out(field.values.size(), Column(rows, 0.0));
  for (std::size_t r = 0; r < rows; ++r) {
    for (auto k = static_cast<std::size_t>(field.offsets[r]); k < static_cast<std::size_t>(field.offsets[r + 1]); ++k) {
      out[static_cast<std::size_t>(field.codes[k])][r] = 1;
    }
  }
  return out;
}

float sign(Stream& stream) { return (stream.next() & 1U) != 0 ? 1.0f : -1.0f; }

}  // namespace

Columns feature_columns(const Features& features, std::uint64_t seed, std::span<const std::int32_t> counted) {
  const auto rows = static_cast<std::size_t>(features.rows);
  std::vector<std::int32_t> every(counted.empty() ? rows : 0);
  std::iota(every.begin(), every.end(), 0);
  if (counted.empty()) counted = every;
  std::vector<Column> all;
  for (const ContinuousField& field : features.continuous) {
    add_field({Column(field.values.begin(), field.values.end())}, counted, all);
  }
  for (const CategoricalField& field : features.categorical) add_field(indicators(field, rows), counted, all);
  Columns out;
  const bool folded = all.size() > kMostColumns;
  out.width = folded ? kMostColumns : all.size();
  out.values.assign(rows * out.width, 0.0f);
  const double scale = folded ? 1 / std::sqrt(static_cast<double>(kMostColumns)) : 1;
  for (std::size_t c = 0; c < all.size(); ++c) {
    Stream stream(seed, "signs of columns", c);
    for (std::size_t k = 0; k < (folded ? out.width : 1); ++k) {
      const double factor = folded ? scale * sign(stream) : 1;
      for (std::size_t r = 0; r < rows; ++r) {
        out.values[r * out.width + (folded ? k : c)] += static_cast<float>(factor * all[c][r]);
      }
    }
  }
  return out;
}

Columns item_codes(std::size_t items, std::uint64_t seed) {
  Columns out;
  const bool folded = items > kMostColumns;
  out.width = folded ? kMostColumns : items;
  out.values.assign(items * out.width, 0.0f);
  for (std::size_t i = 0; i < items; ++i) {
    Stream stream(seed, "signs of items", i);
    if (!folded) out.values[i * out.width + i] = 1;
    for (std::size_t k = 0; folded && k < out.width; ++k) out.values[i * out.width + k] = sign(stream);
  }
  return out;
}

}  // namespace equipoise
