// A caller's functions as a listener, and parameters as what was given.
#include "api/hidden.h"

namespace equipoise {

void CallbackListener::call(const std::function<void()>& f) {
  const std::lock_guard lock(mutex_);
  if (thrown_) return;
  const CountDenormals caller;
  try {
    f();
  } catch (...) {
    thrown_ = std::current_exception();
  }
}

void CallbackListener::note(std::string_view text) {
  if (callbacks_.on_note) call([&] { callbacks_.on_note(std::string(text)); });
}

void CallbackListener::warn(std::string_view text) {
  if (callbacks_.on_warning) call([&] { callbacks_.on_warning(std::string(text)); });
}

void CallbackListener::advance(const Advance& a) {
  if (callbacks_.on_progress) call([&] { callbacks_.on_progress({a.label, a.unit, a.done, a.total, a.words}); });
}

bool CallbackListener::wants_stop() {
  if (callbacks_.stop.stop_requested()) return true;
  if (callbacks_.wants_stop) {
    bool wanted = false;
    call([&] { wanted = callbacks_.wants_stop(); });
    if (wanted) return true;
  }
  const std::lock_guard lock(mutex_);
  return thrown_ != nullptr;
}

void CallbackListener::rethrow() {
  if (thrown_) std::rethrow_exception(thrown_);
}

Given given_of(const Parameters& parameters) {
  Given given;
  for (const auto& [name, value] : parameters) given.add(name, value);
  return given;
}

}  // namespace equipoise
