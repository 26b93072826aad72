// All the rows that are not for training, together.
#pragma once

#include <string>

#include "data/random_sample.h"

namespace equipoise {

/// Users, items and labels of valid, then those of test.
Rows valid_and_test(const Dataset& data);
/// The same where the log has both labels. Of a log with positives only, the parts with both labels: one with positives
/// only is more of the log, whatever the provenance says of the other.
Rows judged_rows(const Dataset& data);

}  // namespace equipoise
