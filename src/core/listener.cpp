// The calling thread's listener, and what is told to it.
#include "core/listener.h"

#include <algorithm>
#include <utility>

namespace equipoise {

namespace {

thread_local Listener* current = nullptr;

}  // namespace

ListenerScope::ListenerScope(Listener& listener) : before_(std::exchange(current, &listener)) {}
ListenerScope::~ListenerScope() { current = before_; }

Listener& listener() {
  static Listener nobody;
  return current != nullptr ? *current : nobody;
}

void note(std::string_view text) { listener().note(text); }
void warn(std::string_view text) { listener().warn(text); }
bool stop_requested() { return listener().wants_stop(); }

Progress::Progress(std::string label, std::int64_t total, std::string unit)
    : listener_(listener()),
      label_(std::move(label)),
      unit_(std::move(unit)),
      total_(std::max<std::int64_t>(total, 1)) {
  update(0);  // its time begins
}

Progress::~Progress() { listener_.end_advance(); }

void Progress::update(std::int64_t done, std::string_view words) {
  listener_.advance({label_, unit_, done, total_, words});
}

}  // namespace equipoise
