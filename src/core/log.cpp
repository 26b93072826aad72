// Notes, warnings and the progress bar, all on stderr.
#include "core/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "core/quote.h"
#include "core/text.h"

namespace equipoise {

namespace {

std::atomic<bool> quiet_flag{false};
constexpr double kRedrawSeconds = 0.1;

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// A stderr that is full or closed is no reason to stop the work (fmt::print would throw).
void say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace

void set_quiet(bool quiet) { quiet_flag = quiet; }

bool colour_allowed() { return stderr_is_terminal() && std::getenv("NO_COLOR") == nullptr; }

void note(std::string_view text) {
  if (!quiet_flag) say(one_line(text) + "\n");
}

void warn(std::string_view text) {
  say(fmt::format("{} {}\n", colour_allowed() ? "\033[33mwarning:\033[0m" : "warning:", one_line(text)));
}

Progress::Progress(std::string label, std::int64_t total, std::string unit)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(std::max<std::int64_t>(total, 1)),
      start_(std::chrono::steady_clock::now()),
      active_(!quiet_flag && stderr_is_terminal()) {}

Progress::~Progress() { clear(); }

void Progress::update(std::int64_t done, std::string_view words) {
  if (!active_) return;
  const auto now = std::chrono::steady_clock::now();
  if (visible_ && std::chrono::duration<double>(now - shown_).count() < kRedrawSeconds) return;
  shown_ = now;
  const double seconds = std::max(1e-9, std::chrono::duration<double>(now - start_).count());
  const double share = std::clamp(static_cast<double>(done) / static_cast<double>(total_), 0.0, 1.0);
  const double rate = static_cast<double>(done) / seconds;
  constexpr int kWidth = 24;
  const int full = static_cast<int>(share * kWidth);
  const std::string left = share > 0 ? clock_text(seconds * (1 - share) / share) : "?";
  say(fmt::format("\r\033[K{} [{}{}] {:3.0f}% {}{}/s, {} left {}", label_, std::string(full, '#'),
                  std::string(kWidth - full, '.'), 100 * share, thousands(static_cast<std::int64_t>(rate)),
                  unit_.empty() ? "" : " " + unit_, left, words));
  visible_ = true;
}

void Progress::clear() {
  if (visible_) say("\r\033[K");
  visible_ = false;
}

}  // namespace equipoise
