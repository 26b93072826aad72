// Failures of the C++ face as the exceptions of equipoise._errors.
#include "native.h"

namespace equipoise::python {

namespace {

const char* name_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::usage:
      return "UsageError";
    case Failure::Kind::bad_data:
      return "DataError";
    case Failure::Kind::check_failed:
      return "CheckError";
    case Failure::Kind::interrupted:
      return "Interrupted";
    default:
      return "Error";
  }
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
      const py::object kind = py::module_::import("equipoise._errors").attr(name_of(failure.kind()));
      PyErr_SetString(kind.ptr(), failure.what());
    }
  });
}

}  // namespace equipoise::python
