// Some columns of a value, as a value of their own.
#pragma once

#include "grad/tape.h"

namespace equipoise {

/// Columns first … first + count − 1 of x: (batch × count).
Var columns(Var x, std::size_t first, std::size_t count);

}  // namespace equipoise
