// A feature's value of one user or item as text: what its cell of a table holds.
#pragma once

#include <string>

#include "data/features.h"

namespace equipoise {

/// Several values are written "a|b|c"; "" = missing.
std::string feature_text(const CategoricalField& field, std::size_t row);
std::string feature_text(const ContinuousField& field, std::size_t row);

}  // namespace equipoise
