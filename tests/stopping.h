// A listener that wants the work to stop, as Ctrl-C does in the program; and one that keeps what it was told.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "core/listener.h"

namespace equipoise::test {

/// While it lives, the thread's work stops as soon as `stop` is true.
class Stopping final : public Listener {
 public:
  bool wants_stop() override { return stop; }
  std::atomic<bool> stop{false};

 private:
  ListenerScope heard_{*this};
};

/// While it lives, it keeps notes, warnings and progress of the thread's work.
class Hearing final : public Listener {
 public:
  void note(std::string_view text) override { keep(notes, text); }
  void warn(std::string_view text) override { keep(warnings, text); }
  void advance(const Advance& a) override { keep(advances, std::string(a.label) + " " + std::to_string(a.done)); }
  void end_advance() override { ++ended; }

  std::vector<std::string> notes, warnings, advances;
  int ended = 0;

 private:
  void keep(std::vector<std::string>& list, std::string_view text) {
    const std::lock_guard lock(mutex_);
    list.emplace_back(text);
  }
  std::mutex mutex_;
  ListenerScope heard_{*this};
};

}  // namespace equipoise::test
