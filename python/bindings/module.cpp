// The extension module equipoise._native: the public C++ face, as Python sees it.
#include "native.h"

PYBIND11_MODULE(_native, m) {
  m.doc() = "The public C++ face of Equipoise; the package equipoise is what people use.";
  m.attr("__version__") = EQUIPOISE_VERSION;
  equipoise::python::bind_errors(m);
  equipoise::python::bind_parameters(m);
  equipoise::python::bind_columns(m);
  equipoise::python::bind_arrow(m);
  equipoise::python::bind_data(m);
  equipoise::python::bind_model(m);
  equipoise::python::bind_lab(m);
}
