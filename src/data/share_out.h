// What ranks that train hold of a data set between them, where one process has all of it.
#pragma once

#include "core/ranks.h"
#include "data/dataset.h"

namespace equipoise {

/// Leaves this rank's share of the users' ids, and where `features` says so this rank's rows of their continuous
/// features (RowHolders). The fingerprint stays that of the whole. Every rank has the same data before.
void share_out(Dataset& data, Ranks& ranks, bool features);

}  // namespace equipoise
