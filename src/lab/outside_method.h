// A caller's own method as an arm of a comparison.
#pragma once

#include "compare/outside.h"
#include "equipoise/lab.h"

namespace equipoise {

/// UsageError if it has no function that trains, or a parameter is of a kind that there is not.
OutsideArm arm_of(const OutsideMethod& method);

}  // namespace equipoise
