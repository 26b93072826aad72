// The one line that a program ends with where something went wrong, and of a job over ranks: one, however it ends.
#pragma once

#include <string_view>

namespace equipoise::cli {

/// Writes the line to stderr, or has it written by the process that speaks for this one; of several the first counts.
/// Takes no memory.
void say_last(std::string_view line) noexcept;

/// From now on this process has no last line: another one of the job has it.
void be_silent() noexcept;

/// A process beside this one that says its last line, and one of its own where this process ends without a word:
/// killed, ended by MPI, or told to end and too slow. To be made before there are threads and memory that should not be
/// copied.
class Speaker {
 public:
  Speaker();
  /// All was said.
  ~Speaker();
  Speaker(const Speaker&) = delete;
  Speaker& operator=(const Speaker&) = delete;
};

}  // namespace equipoise::cli
