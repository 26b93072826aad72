// The time of day, for the log and for answers, and what a thread has computed; all else is measured by a stopwatch.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

namespace equipoise {

/// Milliseconds since 1970.
inline std::int64_t time_of_day() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count();
}

/// Seconds that the calling thread has computed: what others do on the machine does not count.
inline double thread_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace equipoise
