// A sample of users for work that takes users × items: as many as are affordable, always the same ones.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace equipoise {

/// At most that many users, and at most so many pairs; but not fewer than `fewest`, however large the catalogue is.
struct SampleLimits {
  std::size_t users, pairs, fewest;
};

/// The numbers below `users`, or a sample of them, ascending. It depends on what is given here alone.
std::vector<std::size_t> sample_of_users(std::size_t users, std::int32_t items, const SampleLimits& limits,
                                         std::string_view purpose);

}  // namespace equipoise
