// What the rows that are not for training are said to be, and all of them together.
#pragma once

#include <string>

#include "data/dataset.h"

namespace equipoise {

/// "unbiased", "resampled", "biased", "as given", or "" where the provenance does not say.
std::string test_part(const Dataset& data);

/// Users, items and labels of valid, then those of test.
Rows valid_and_test(const Dataset& data);
/// The same where the log has both labels. Of a log with positives only, the parts with both labels: one with positives
/// only is more of the log, whatever the provenance says of the other.
Rows judged_rows(const Dataset& data);

}  // namespace equipoise
