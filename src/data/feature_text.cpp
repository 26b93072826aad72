// Features' values as text.
#include "data/feature_text.h"

#include <cmath>

#include "core/text.h"
#include "data/dataset_folder.h"

namespace equipoise {

std::string feature_text(const CategoricalField& field, std::size_t row) {
  std::string cell;
  for (std::int32_t k = field.offsets[row]; k < field.offsets[row + 1]; ++k) {
    if (!cell.empty()) cell += kTagSeparator;
    cell += field.values[static_cast<std::size_t>(field.codes[static_cast<std::size_t>(k)])];
  }
  return cell;
}

std::string feature_text(const ContinuousField& field, std::size_t row) {
  return std::isnan(field.values[row]) ? "" : to_text(field.values[row]);
}

}  // namespace equipoise
