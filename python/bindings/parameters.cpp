// The tables of methods, base models and parameters, as lists and dicts.
#include <equipoise/lab.h>

#include "native.h"

namespace equipoise::python {

namespace {

py::list groups_as_list(const std::vector<ParameterGroup>& groups) {
  py::list out;
  for (const ParameterGroup& group : groups) {
    py::list parameters;
    for (const ParameterInfo& p : group.parameters) {
      parameters.append(py::dict(py::arg("name") = p.name, py::arg("kind") = p.kind,
                                 py::arg("default") = p.default_value, py::arg("range") = p.range,
                                 py::arg("sentence") = p.sentence, py::arg("choices") = p.choices,
                                 py::arg("searched") = p.searched));
    }
    out.append(py::dict(py::arg("kind") = group.kind, py::arg("name") = group.name,
                        py::arg("sentence") = group.sentence, py::arg("parameters") = parameters,
                        py::arg("presets") = group.presets));
  }
  return out;
}

}  // namespace

py::list texts_of(const std::vector<std::string>& texts) {
  py::list out(texts.size());
  for (std::size_t k = 0; k < texts.size(); ++k) {
    PyObject* text = PyUnicode_FromStringAndSize(texts[k].data(), static_cast<py::ssize_t>(texts[k].size()));
    if (text == nullptr) throw py::error_already_set();
    PyList_SET_ITEM(out.ptr(), static_cast<py::ssize_t>(k), text);
  }
  return out;
}

void bind_parameters(py::module_& m) {
  m.def("parameter_groups", [] { return groups_as_list(parameter_groups()); });
  m.def("lab_parameter_groups", [] { return groups_as_list(lab_parameter_groups()); });
  m.def("method_names", &method_names);
  m.def("base_names", &base_names);
  m.def("probability", &probability);
}

}  // namespace equipoise::python
