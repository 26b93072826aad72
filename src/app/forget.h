// Forgetting a user: a data set's folder, or a model's file, without the user; and what that cannot undo.
#pragma once

#include <string>

#include "core/json.h"
#include "core/parallel.h"
#include "data/dataset_cache.h"
#include "recommender/without_user.h"

namespace equipoise {

/// Writes the folder anew without the user, and removes the binary copy that was kept of it. Files that came with the
/// data set lose the lines of the user. Gives the rows of each part that went, and what else; tells the listener what
/// cannot be undone. UsageError if the path is no folder, DataError if the data set has no such user.
Json forget_in_folder(const std::string& folder, const std::string& user, const CacheParams& cache, Pool& pool);

/// The file is written anew without the user, whole or not at all. Other users keep their vectors to the last bit. The
/// listener is told what was learned from the user's rows and stays. UsageError if the model does not know the user.
TakenOut forget_in_model(const std::string& path, const std::string& user, Pool& pool);

}  // namespace equipoise
