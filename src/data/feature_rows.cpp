// Selecting rows of features.
#include "data/feature_rows.h"

namespace equipoise {

Features feature_rows(const Features& features, std::span<const std::int32_t> numbers) {
  Features out;
  out.rows = static_cast<std::int32_t>(numbers.size());
  for (const ContinuousField& field : features.continuous) {
    ContinuousField& kept = out.continuous.emplace_back(ContinuousField{field.name, {}});
    for (const std::int32_t k : numbers) kept.values.push_back(field.values[static_cast<std::size_t>(k)]);
  }
  for (const CategoricalField& field : features.categorical) {
    CategoricalField kept{field.name, field.tags, field.values, {0}, {}};
    for (const std::int32_t k : numbers) {
      const auto r = static_cast<std::size_t>(k);
      kept.codes.insert(kept.codes.end(), field.codes.begin() + field.offsets[r],
                        field.codes.begin() + field.offsets[r + 1]);
      kept.offsets.push_back(static_cast<std::int32_t>(kept.codes.size()));
    }
    out.categorical.push_back(std::move(kept));
  }
  return out;
}

}  // namespace equipoise
