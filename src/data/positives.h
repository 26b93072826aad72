// Logs of positives only: how they are told from others, and what follows for the data set.
#pragma once

#include <string>

#include "data/dataset.h"

namespace equipoise {

/// Whether every label is 1; false without rows.
bool all_positive(const Rows& rows);
/// Whether the rows have labels of 0 and of 1.
bool has_both_labels(const Rows& rows);

/// Marks the data set as positives only if every label of train is 1, gives it the protocol that fits (lists over the
/// catalogue where the held-out rows are positives too, else the labelled rows of each user), and says so to the
/// listener. `why` says what shows it: "the log has no label column".
void mark_positives(Dataset& data, const std::string& why);

/// The protocol of a data set of positives.
std::string protocol_of_positives(const Dataset& data);

}  // namespace equipoise
