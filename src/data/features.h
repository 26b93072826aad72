// What is known of users (or items) beside their ids: categorical fields, tags, continuous columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

struct ContinuousField {
  std::string name;
  std::vector<float> values;  // (rows); NaN = missing
};

/// One row per user (or item), in the order of their numbers.
struct Features {
  std::int32_t rows = 0;
  std::vector<CategoricalField> categorical;
  std::vector<ContinuousField> continuous;

  bool empty() const { return categorical.empty() && continuous.empty(); }
};

}  // namespace equipoise
