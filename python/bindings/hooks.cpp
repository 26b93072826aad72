// Long work as Python hears of it: notes, warnings, progress, epochs, and Ctrl-C.
#include <chrono>
#include <memory>
#include <thread>

#include "native.h"

namespace equipoise::python {

namespace {

using Clock = std::chrono::steady_clock;

// True at most so often.
class Now {
 public:
  explicit Now(std::chrono::milliseconds every) : every_(every) {}
  bool operator()() {
    const auto now = Clock::now();
    if (now < next_) return false;
    next_ = now + every_;
    return true;
  }

 private:
  std::chrono::milliseconds every_;
  Clock::time_point next_ = {};
};

std::function<void(const std::string&)> text_function(const py::object& hooks, const char* name) {
  if (!py::hasattr(hooks, name)) return {};
  return [object = hooks.ptr(), name](const std::string& text) {
    const py::gil_scoped_acquire lock;
    py::handle(object).attr(name)(text);
  };
}

}  // namespace

// The functions borrow: the caller holds `hooks` until the work is done.
Callbacks callbacks_of(const py::object& hooks) {
  Callbacks out;
  out.wants_stop = [now = std::make_shared<Now>(std::chrono::milliseconds(10)), caller = std::this_thread::get_id()] {
    if (std::this_thread::get_id() != caller || !(*now)()) return false;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return false;
  };
  if (hooks.is_none()) return out;
  out.on_note = text_function(hooks, "note");
  out.on_warning = text_function(hooks, "warn");
  if (!py::hasattr(hooks, "progress")) return out;
  out.on_progress = [progress = hooks.ptr(),
                     now = std::make_shared<Now>(std::chrono::milliseconds(50))](const ProgressReport& report) {
    if (!(*now)() && report.done != report.total && report.done != 0) return;
    const py::gil_scoped_acquire lock;
    py::handle(progress).attr("progress")(report.label, report.unit, report.done, report.total, report.words);
  };
  return out;
}

std::function<bool(const EpochReport&)> epoch_callback_of(const py::object& hooks) {
  if (hooks.is_none() || !py::hasattr(hooks, "epoch")) return {};
  return [object = hooks.ptr()](const EpochReport& report) {
    const py::gil_scoped_acquire lock;
    return py::handle(object).attr("epoch")(report.epoch, report.losses, report.metric).cast<bool>();
  };
}

}  // namespace equipoise::python
