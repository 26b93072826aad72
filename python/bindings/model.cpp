// Models: training, files and bytes, scores, metrics, vectors.
#include <pybind11/numpy.h>

#include "columns.h"

namespace equipoise::python {

namespace {

TrainOptions options_of(const std::string& method, const std::string& base, const std::string& preset,
                        const Parameters& parameters) {
  TrainOptions out;
  out.method = method;
  out.base = base;
  out.preset = preset;
  out.parameters = parameters;
  return out;
}

Model train(const Data& data, const std::string& method, const std::string& base, const std::string& preset,
            const Parameters& parameters, int threads, const std::string& checkpoint, bool resume,
            const py::object& hooks) {
  TrainOptions options = options_of(method, base, preset, parameters);
  options.threads = threads;
  options.checkpoint = checkpoint;
  options.resume = resume;
  options.callbacks = callbacks_of(hooks);
  options.stop_after = epoch_callback_of(hooks);
  return unlocked([&] { return Model::train(data, options); });
}

py::array_t<float> score(const Model& model, const Column& users, const Column& items, const Parameters& parameters,
                         const Columns& more_rows) {
  py::array_t<float> out(static_cast<py::ssize_t>(users.size()));
  const std::span<float> places(out.mutable_data(), users.size());
  unlocked([&] { model.score(users.ids(), items.ids(), places, parameters, arrays_of(more_rows)); });
  return out;
}

// A numpy array that only looks at numbers, and keeps them alive.
py::array read_only(Factors factors) {
  auto* held = new Factors(std::move(factors));
  const py::capsule owner(held, [](void* p) { delete static_cast<Factors*>(p); });
  py::array_t<float> out({held->rows, held->width}, held->values.data(), owner);
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

py::dict evaluate(const Model& model, const Data& data, const Parameters& parameters, const py::object& hooks) {
  const Callbacks callbacks = callbacks_of(hooks);
  const EvaluationReport found = unlocked([&] { return model.evaluation(data, parameters, callbacks); });
  py::dict metrics, per_user;
  for (const auto& [name, value] : found.metrics) {
    metrics[name.c_str()] = py::make_tuple(value.mean, value.low, value.high);
  }
  for (const auto& [name, values] : found.per_user) per_user[name.c_str()] = py::array(py::cast(values));
  return py::dict(py::arg("protocol") = found.protocol, py::arg("k") = found.k, py::arg("metrics") = metrics,
                  py::arg("users") = texts_of(found.users), py::arg("lists") = py::array(py::cast(found.lists)),
                  py::arg("per_user") = per_user);
}

}  // namespace

void bind_model(py::module_& m) {
  m.def("check_training",
        [](const std::string& method, const std::string& base, const std::string& preset,
           const Parameters& parameters) { check_training(options_of(method, base, preset, parameters)); });
  m.def("auc", [](const py::array_t<float, py::array::c_style | py::array::forcecast>& scores,
                  const py::array_t<float, py::array::c_style | py::array::forcecast>& labels) {
    return auc({scores.data(), static_cast<std::size_t>(scores.size())},
               {labels.data(), static_cast<std::size_t>(labels.size())});
  });
  py::class_<Model> model(m, "Model");
  bind_lists(model);
  model.def_static("train", &train)
      .def_static("load", [](const std::string& path,
                             int threads) { return unlocked([&] { return Model::load(path, threads); }); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes, int threads) {
                    const std::string_view view(bytes);
                    return unlocked([&] { return Model::from_bytes(view, threads); });
                  })
      .def("save", [](const Model& one, const std::string& path) { unlocked([&] { one.save(path); }); })
      .def("to_bytes", [](const Model& one) { return py::bytes(unlocked([&] { return one.bytes(); })); })
      .def_property_readonly("method", &Model::method)
      .def_property_readonly("base", &Model::base)
      .def("card", &Model::card)
      .def("users", [](const Model& one) { return texts_of(one.users()); })
      .def("items", [](const Model& one) { return texts_of(one.items()); })
      .def_property_readonly("scores_are_chances", &Model::scores_are_chances)
      .def("user_factors", [](const Model& one) { return read_only(unlocked([&] { return one.user_factors(); })); })
      .def("item_factors", [](const Model& one) { return read_only(unlocked([&] { return one.item_factors(); })); })
      .def("knows_user", &Model::knows_user)
      .def("knows_item", &Model::knows_item)
      .def("item_name", &Model::item_name)
      .def("score", &score)
      .def("evaluate", &evaluate);
}

}  // namespace equipoise::python
