// A model's file without one of its users.
#pragma once

#include "core/blocks.h"
#include "recommender/recommender.h"

namespace equipoise {

/// What was taken out.
struct TakenOut {
  std::int64_t items = 0;   // that the user had in training
  std::int64_t arrays = 0;  // trained arrays that lost the user's row
  std::int64_t values = 0;  // of features, that nobody else has
};

/// Takes user `number` out of `file`, which is the file of `recommender`: id, training rows, features, seen items, and
/// the user's row of every trained array that has one. Later users move up by one number. Everything else stays as it
/// is to the last byte.
TakenOut take_user_out(BlockFile& file, const Recommender& recommender, std::int32_t number);

}  // namespace equipoise
