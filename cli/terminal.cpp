// Notes, warnings and the progress bar with rate and time left, all on stderr.
#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/quote.h"
#include "core/text.h"
#include "interrupt.h"
#include "streams.h"

namespace equipoise::cli {

namespace {

constexpr double kRedrawSeconds = 0.1;

bool stderr_is_terminal() { return is_terminal(STDERR_FILENO); }

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string bar_text(const Advance& a, double seconds) {
  constexpr int kWidth = 24;
  const double share = std::clamp(static_cast<double>(a.done) / static_cast<double>(a.total), 0.0, 1.0);
  const double rate = static_cast<double>(a.done) / std::max(1e-9, seconds);
  const int full = static_cast<int>(share * kWidth);
  const std::string left = share > 0 ? clock_text(seconds * (1 - share) / share) : "?";
  return fmt::format("{} [{}{}] {:3.0f}% {}{}{}/s, {} left {}", a.label, std::string(full, '#'),
                     std::string(kWidth - full, '.'), 100 * share, thousands(static_cast<std::int64_t>(rate)),
                     a.unit.empty() ? "" : " ", a.unit, left, a.words);
}

}  // namespace

bool colour_allowed() { return stderr_is_terminal() && std::getenv("NO_COLOR") == nullptr; }

Terminal::Terminal(bool quiet, Ranks& ranks)
    : ranks_(ranks), quiet_(quiet), draws_(!quiet && ranks.first() && stderr_is_terminal()) {}

void Terminal::note(std::string_view text) {
  if (!quiet_) say_line(one_line(text));
}

void Terminal::warn(std::string_view text) {
  say_line(fmt::format("{} {}", colour_allowed() ? "\033[33mwarning:\033[0m" : "warning:", one_line(text)));
}

void Terminal::say_line(std::string_view text) {
  if (!ranks_.first()) return;
  const std::lock_guard lock(mutex_);
  clear_bar();
  write_stderr(fmt::format("{}\n", text));
}

void Terminal::advance(const Advance& a) {
  if (!draws_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (!begun_) start_ = now, begun_ = true;
  if (a.done == 0) return;
  if (visible_ && std::chrono::duration<double>(now - drawn_).count() < kRedrawSeconds) return;
  drawn_ = now;
  visible_ = true;
  write_stderr("\r\033[K" + one_line(bar_text(a, std::chrono::duration<double>(now - start_).count())));
}

void Terminal::end_advance() {
  const std::lock_guard lock(mutex_);
  clear_bar();
  begun_ = false;
}

void Terminal::clear_bar() {
  if (visible_) write_stderr("\r\033[K");
  visible_ = false;
}

bool Terminal::wants_stop() { return interrupted() || ranks_.peer_failed(); }

}  // namespace equipoise::cli
