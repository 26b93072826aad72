// Rules that hold out rows of a log: at random, by whole users, by time, and the last rows of each user.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

inline constexpr std::uint8_t kTrain = 0, kValid = 1, kTest = 2;

/// The part of each row, and the rule in words, for provenance.
struct HeldOut {
  std::vector<std::uint8_t> part;
  std::string rule;
};

/// By the rule `split`:
/// random: shares of all rows, drawn uniformly. users: all rows of shares of the users, drawn uniformly.
/// time: shares of the newest rows; rows of one time are in one part, and a note says where the cuts are.
/// leave-last: of users with three rows or more the newest is test and the one before it valid; of two rows the newest
/// is test. Among rows of one time the later one of the log is newer.
/// UsageError if the rule needs times and the log has none, DataError if nothing would be left for train.
HeldOut hold_out(const Rows& log, const std::string& split, double valid_share, double test_share, std::uint64_t seed);

}  // namespace equipoise
