// The vectors of users and items as files for other programs, such as engines that search near neighbours.
#pragma once

#include <string>

#include "recommender/recommender.h"

namespace equipoise {

/// A folder with users.npy and items.npy (numpy, float32, a row for each), users.json and items.json (the ids of the
/// rows), item_names.json where there are names, and factors.json, which says what they are. Written whole or not at
/// all. UsageError if the model has no vectors, or the folder holds something else and `force` is false; what else is
/// in it stays. Gives what factors.json says.
Json export_factors(const Recommender& recommender, const std::string& folder, bool force, Pool& pool);

}  // namespace equipoise
