// The program's ear: notes and warnings on stderr, a progress bar on a terminal, Ctrl-C as a wish to stop.
#pragma once

#include <chrono>
#include <mutex>

#include "core/listener.h"
#include "core/ranks.h"

namespace equipoise::cli {

/// Whether stderr may be coloured: it is a terminal and NO_COLOR is unset.
bool colour_allowed();

class Terminal final : public Listener {
 public:
  /// `quiet`: without notes and progress; warnings are always said. Rank 0 speaks for all.
  explicit Terminal(bool quiet, Ranks& ranks = single_process());

  void note(std::string_view text) override;
  void warn(std::string_view text) override;
  void advance(const Advance& advance) override;
  void end_advance() override;
  bool wants_stop() override;

 private:
  using Clock = std::chrono::steady_clock;
  void say_line(std::string_view text);
  void clear_bar();

  Ranks& ranks_;
  const bool quiet_;
  const bool draws_;
  std::mutex mutex_;
  bool visible_ = false;
  bool begun_ = false;  // `start_` is of the work that advances now
  Clock::time_point start_{}, drawn_{};
};

}  // namespace equipoise::cli
