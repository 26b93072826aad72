// What the files of the extension module share: how each binds its part, and how Python hears of long work.
#pragma once

#include <equipoise/equipoise.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "signal_stack.h"

namespace equipoise::python {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_parameters(py::module_& m);
void bind_columns(py::module_& m);
void bind_arrow(py::module_& m);
void bind_data(py::module_& m);
void bind_model(py::module_& m);
void bind_lists(py::class_<Model>& model);
void bind_lab(py::module_& m);

/// Functions that call those of a Python object, where it has them: note(text), warn(text), progress(label, unit, done,
/// total, words). Signals are looked at between steps, so that Ctrl-C stops the work. None = nobody listens.
Callbacks callbacks_of(const py::object& hooks);
/// Its function epoch(number, losses, metric), which may give True to stop.
std::function<bool(const EpochReport&)> epoch_callback_of(const py::object& hooks);

/// Calls f without the interpreter's lock, where a signal does no harm.
template <class F>
auto unlocked(F f) -> decltype(f()) {
  const py::gil_scoped_release release;
  const SignalStack stack;
  return f();
}

/// A list of Python texts.
py::list texts_of(const std::vector<std::string>& texts);

}  // namespace equipoise::python
