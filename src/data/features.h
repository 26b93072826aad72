// What is known of users (or items) beside their ids: categorical fields, tags, continuous columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/row_holders.h"

namespace equipoise {

/// A field with a vocabulary. A row holds any number of its values: none (missing), one (categorical), several (tags).
struct CategoricalField {
  std::string name;
  bool tags = false;                  // several values a row, written "a|b|c"
  std::vector<std::string> values;    // the vocabulary
  std::vector<std::int32_t> offsets;  // (rows + 1): row r holds codes[offsets[r]] … codes[offsets[r+1] − 1]
  std::vector<std::int32_t> codes;    // numbers in `values`

  bool operator==(const CategoricalField&) const = default;
};

/// Mean and 1 ÷ deviation of a continuous field, over the rows that have the number.
struct ColumnScale {
  double mean = 0;
  double factor = 0;  // 0 where no two numbers differ

  /// Mean 0 and deviation 1; a missing number is the mean.
  float standardised(float value) const { return value != value ? 0.0f : static_cast<float>((value - mean) * factor); }
};
ColumnScale scale_of(const std::vector<float>& column);

struct ContinuousField {
  std::string name;
  std::vector<float> values;              // (rows), or those that this rank holds; NaN = missing
  std::optional<ColumnScale> scale = {};  // of all rows, where only some are here

  ColumnScale own_scale() const { return scale ? *scale : scale_of(values); }
};

/// One row per user (or item), in the order of their numbers.
struct Features {
  std::int32_t rows = 0;
  std::vector<CategoricalField> categorical;
  std::vector<ContinuousField> continuous;
  RowHolders holders = {};  // of the continuous fields' rows; one process has all of them

  bool empty() const { return categorical.empty() && continuous.empty(); }
};

}  // namespace equipoise
