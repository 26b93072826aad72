// Data sets: from columns, folders and files, and what they say of themselves.
#include "columns.h"

namespace equipoise::python {

namespace {

/// A table of features, and the texts that its arrays look at.
struct FeatureTable {
  explicit FeatureTable(const py::object& table) {
    if (table.is_none()) return;
    id = table["id"].cast<std::shared_ptr<Column>>();
    arrays.id = id->ids();
    for (const auto& one : table["features"]) {
      const auto name = one["name"].cast<std::string>(), kind = one["kind"].cast<std::string>();
      const auto column = one["column"].cast<std::shared_ptr<Column>>();
      if (kind == "continuous") {
        kept.push_back(column);
        arrays.continuous.push_back({name, column->numbers()});
        continue;
      }
      texts.push_back(std::make_unique<std::vector<std::string>>(column->texts()));
      if (kind == "name") {
        arrays.names = *texts.back();
      } else {
        arrays.categorical.push_back({name, *texts.back(), kind == "tags"});
      }
    }
  }
  FeatureArrays arrays;
  std::shared_ptr<Column> id;
  std::vector<std::shared_ptr<Column>> kept;
  std::vector<std::unique_ptr<std::vector<std::string>>> texts;
};

Data from_rows(const Columns& log, const std::map<std::string, std::string>& names, const Parameters& parameters,
               const Columns& test, const Columns& valid, const py::object& users, const py::object& items, int threads,
               const py::object& hooks) {
  const FeatureTable of_users(users), of_items(items);
  const MoreData more{arrays_of(test, names), arrays_of(valid, names), of_users.arrays, of_items.arrays};
  const LogArrays arrays = arrays_of(log, names);
  const Callbacks callbacks = callbacks_of(hooks);
  return unlocked([&] { return Data::from_rows(arrays, parameters, more, threads, callbacks); });
}

}  // namespace

void bind_data(py::module_& m) {
  py::class_<Data>(m, "Data")
      .def_static("from_rows", &from_rows)
      .def_static("open",
                  [](const std::string& path, const Parameters& parameters, int threads, const py::object& hooks) {
                    const Callbacks callbacks = callbacks_of(hooks);
                    return unlocked([&] { return Data::open(path, parameters, threads, callbacks); });
                  })
      .def_static("import_source",
                  [](const std::string& source, const std::vector<std::string>& paths, const Parameters& parameters,
                     int threads, const py::object& hooks) {
                    const Callbacks callbacks = callbacks_of(hooks);
                    return unlocked([&] { return Data::import(source, paths, parameters, threads, callbacks); });
                  })
      .def_static("simulate",
                  [](const Parameters& parameters) { return unlocked([&] { return Data::simulate(parameters); }); })
      .def_static("simulate_over",
                  [](const Data& labels, const Parameters& parameters) {
                    return unlocked([&] { return Data::simulate(labels, parameters); });
                  })
      .def("with_valid",
           [](const Data& data, const Data& rows) { return unlocked([&] { return data.with_valid(rows); }); })
      .def("save", [](const Data& data, const std::string& path) { unlocked([&] { data.save(path); }); })
      .def_property_readonly("name", &Data::name)
      .def("named",
           [](const Data& data, const std::string& name) { return unlocked([&] { return data.named(name); }); })
      .def("users", [](const Data& data) { return texts_of(data.users()); })
      .def("items", [](const Data& data) { return texts_of(data.items()); })
      .def("requests", [](const Data& data) { return texts_of(data.requests()); })
      .def_property_readonly("counts",
                             [](const Data& data) {
                               return py::make_tuple(data.users().size(), data.items().size(), data.train_rows(),
                                                     data.valid_rows(), data.test_rows());
                             })
      .def("fingerprint", [](const Data& data) { return unlocked([&] { return data.fingerprint(); }); })
      .def("summary", [](const Data& data) { return unlocked([&] { return data.summary(); }); });
}

}  // namespace equipoise::python
