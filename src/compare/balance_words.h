// The verdict of the study balance in words.
#pragma once

#include <cstddef>
#include <string>

#include "compare/balance_result.h"

namespace equipoise {

/// Fills in `detectable`, `cause` and `verdict` from the tests; `family` is how many tests Holm's correction was for.
void judge(FormTests& form, std::size_t family);
/// What the true propensities gained, and what follows for weights at all.
std::string oracle_words(const RepeatTest& oracle);

}  // namespace equipoise
