// Models: training, files and bytes, scores, metrics, vectors.
#include <pybind11/numpy.h>

#include "columns.h"

namespace equipoise::python {

namespace {

TrainOptions options_of(const std::string& method, const std::string& base, const Parameters& parameters) {
  TrainOptions out;
  out.method = method;
  out.base = base;
  out.parameters = parameters;
  return out;
}

Model train(const Data& data, const std::string& method, const std::string& base, const Parameters& parameters,
            int threads, const std::string& checkpoint, bool resume, const py::object& hooks) {
  TrainOptions options = options_of(method, base, parameters);
  options.threads = threads;
  options.checkpoint = checkpoint;
  options.resume = resume;
  options.callbacks = callbacks_of(hooks);
  options.stop_after = epoch_callback_of(hooks);
  return unlocked([&] { return Model::train(data, options); });
}

py::array_t<float> score(const Model& model, const Column& users, const Column& items, const Parameters& parameters) {
  py::array_t<float> out(static_cast<py::ssize_t>(users.size()));
  const std::span<float> places(out.mutable_data(), users.size());
  unlocked([&] { model.score(users.ids(), items.ids(), places, parameters); });
  return out;
}

py::dict evaluate(const Model& model, const Data& data, const Parameters& parameters, const py::object& hooks) {
  const Callbacks callbacks = callbacks_of(hooks);
  const auto found = unlocked([&] { return model.evaluate(data, parameters, callbacks); });
  py::dict out;
  for (const auto& [name, value] : found) out[name.c_str()] = py::make_tuple(value.mean, value.low, value.high);
  return out;
}

}  // namespace

void bind_model(py::module_& m) {
  m.def("check_training", [](const std::string& method, const std::string& base, const Parameters& parameters) {
    check_training(options_of(method, base, parameters));
  });
  py::class_<Model>(m, "Model")
      .def_static("train", &train)
      .def_static("load", [](const std::string& path,
                             int threads) { return unlocked([&] { return Model::load(path, threads); }); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes, int threads) {
                    const std::string_view view(bytes);
                    return unlocked([&] { return Model::from_bytes(view, threads); });
                  })
      .def("save", [](const Model& model, const std::string& path) { unlocked([&] { model.save(path); }); })
      .def("to_bytes", [](const Model& model) { return py::bytes(unlocked([&] { return model.bytes(); })); })
      .def_property_readonly("method", &Model::method)
      .def_property_readonly("base", &Model::base)
      .def("card", &Model::card)
      .def("users", [](const Model& model) { return texts_of(model.users()); })
      .def("items", [](const Model& model) { return texts_of(model.items()); })
      .def_property_readonly("scores_are_chances", &Model::scores_are_chances)
      .def("score", &score)
      .def("evaluate", &evaluate);
}

}  // namespace equipoise::python
