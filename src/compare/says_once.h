// A listener that passes every sentence on once: trials of one plan would say the same things again and again.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "core/listener.h"

namespace equipoise {

class SaysOnce final : public Listener {
 public:
  /// `to` must outlive it.
  explicit SaysOnce(Listener& to) : to_(to) {}

  void note(std::string_view text) override {
    if (fresh(text)) to_.note(text);
  }
  void warn(std::string_view text) override {
    if (fresh(text)) to_.warn(text);
  }
  void advance(const Advance& advance) override { to_.advance(advance); }
  void end_advance() override { to_.end_advance(); }
  bool wants_stop() override { return to_.wants_stop(); }

 private:
  bool fresh(std::string_view text) {
    const std::lock_guard lock(mutex_);
    return said_.emplace(text).second;
  }

  Listener& to_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> said_;
};

}  // namespace equipoise
