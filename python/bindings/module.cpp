// The extension module equipoise._native: the public C++ face, as Python sees it.
#include "native.h"

namespace {

// Before 2.12 pybind11 looks into numpy's structs as numpy 1 has them: with numpy 2 it would take any number for
// another.
constexpr bool reads_numpy_2 = PYBIND11_VERSION_HEX >= 0x020C0000;

void check_numpy() {
  const auto version = pybind11::module_::import("numpy").attr("__version__").cast<std::string>();
  if (reads_numpy_2 || version.starts_with("1.")) return;
  throw pybind11::import_error("this build of equipoise reads numpy 1, and numpy here is " + version +
                               "; `pip install .` in the checkout builds one that reads it");
}

}  // namespace

PYBIND11_MODULE(_native, m) {
  m.doc() = "The public C++ face of Equipoise; the package equipoise is what people use.";
  m.attr("__version__") = EQUIPOISE_VERSION;
  m.attr("reads_numpy_2") = reads_numpy_2;
  check_numpy();
  equipoise::python::bind_errors(m);
  equipoise::python::bind_parameters(m);
  equipoise::python::bind_columns(m);
  equipoise::python::bind_arrow(m);
  equipoise::python::bind_data(m);
  equipoise::python::bind_model(m);
  equipoise::python::bind_lab(m);
  equipoise::python::bind_value(m);
}
