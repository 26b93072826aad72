// Takes a user out of a data set: rows, id and features.
#pragma once

#include <cstdint>
#include <string>

#include "data/dataset.h"

namespace equipoise {

/// How many rows of each part were the user's.
struct Forgotten {
  std::int64_t train = 0;
  std::int64_t valid = 0;
  std::int64_t test = 0;
};

/// The others keep their order, and items stay even where only this user had rows of them. DataError if there is no
/// such user, or if nothing would be left to train on.
Forgotten forget_user(Dataset& data, const std::string& user);

}  // namespace equipoise
