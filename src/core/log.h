// Words for people on stderr: notes, warnings and a progress bar with rate and time left.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace equipoise {

/// How much is said; warnings are always said.
void set_quiet(bool quiet);
/// Bold, red … where stderr is a terminal and NO_COLOR is unset.
bool colour_allowed();

void note(std::string_view text);
void warn(std::string_view text);

/// A bar on a terminal, silent elsewhere. Its clock is for show and never reaches a result.
class Progress {
 public:
  Progress(std::string label, std::int64_t total, std::string unit = "");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `total`, with words that follow the bar ("auc 0.801").
  void update(std::int64_t done, std::string_view words = {});
  /// Takes the bar away so that a line can be printed.
  void clear();

 private:
  std::string label_;
  std::string unit_;
  std::int64_t total_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point shown_{};
  bool visible_ = false;
  bool active_;
};

/// Seconds since it was made; for reports of time only.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace equipoise
