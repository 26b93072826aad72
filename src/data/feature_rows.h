// Some rows of a table of features.
#pragma once

#include <cstdint>
#include <span>

#include "data/features.h"

namespace equipoise {

/// The rows of those numbers, in that order; vocabularies stay as they are.
Features feature_rows(const Features& features, std::span<const std::int32_t> numbers);

}  // namespace equipoise
