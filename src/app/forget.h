// Taking a user out of a model's file, and saying what that cannot undo.
#pragma once

#include <string>

#include "core/parallel.h"
#include "recommender/without_user.h"

namespace equipoise {

/// The file is written anew without the user, whole or not at all. Other users keep their vectors to the last bit. The
/// listener is told what was learned from the user's rows and stays. UsageError if the model does not know the user.
TakenOut forget_in_model(const std::string& path, const std::string& user, Pool& pool);

}  // namespace equipoise
