// A Python object that trains as an outside method of a comparison.
#pragma once

#include <equipoise/lab.h>

#include <exception>
#include <memory>

#include "native.h"

namespace equipoise::python {

/// What must go on to Python as it is: Ctrl-C and exits, which are no failures of a trial.
struct Held {
  std::exception_ptr thrown = {};
};

/// Of a Python object with name, kinds (a list of (name, texts, kind)), scores_are_chances, and
/// train(data, settings, seed), which gives score(users, items, out) on numpy arrays. The caller holds the object until
/// the work is done.
OutsideMethod outside_method(const py::object& method, std::shared_ptr<Held> held);

}  // namespace equipoise::python
