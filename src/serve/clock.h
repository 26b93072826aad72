// The time of day, for the log and for answers; everything that only measures uses a stopwatch.
#pragma once

#include <chrono>
#include <cstdint>

namespace equipoise {

/// Milliseconds since 1970.
inline std::int64_t time_of_day() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace equipoise
