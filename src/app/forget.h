// Forgetting a user: a data set's folder without the user's rows, id and features.
#pragma once

#include <string>

#include "core/json.h"
#include "core/parallel.h"
#include "data/dataset_cache.h"

namespace equipoise {

/// Writes the folder anew without the user, and removes the binary copy that was kept of it. Files that came with the
/// data set lose the lines of the user. Gives the rows of each part that went, and what else; tells the listener what
/// cannot be undone. UsageError if the path is no folder, DataError if the data set has no such user.
Json forget_in_folder(const std::string& folder, const std::string& user, const CacheParams& cache, Pool& pool);

}  // namespace equipoise
