// Ids that only valid or test have: they get the last numbers, so that nothing learned depends on them.
#pragma once

#include <vector>

#include "data/dataset.h"

namespace equipoise {

/// Numbers the ids anew: first, in the order they have, those that are known without valid and test, then the others in
/// the order of their first row in valid and test; counts the latter in `held_out_users` and `held_out_items`. Known
/// are ids of train, those of a catalogue (`listed[k]` of id k; ids beyond its end are not listed) and those without
/// rows.
void put_held_out_last(Dataset& data, const std::vector<bool>& listed_users, const std::vector<bool>& listed_items);

}  // namespace equipoise
