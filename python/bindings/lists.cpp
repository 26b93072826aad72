// Lists: for one user with as little around it as can be, for many into arrays, and items like one.
#include <pybind11/numpy.h>

#include <algorithm>

#include "columns.h"

namespace equipoise::python {

namespace {

using Texts = std::vector<std::string>;

// Refuses here what whoever makes lists would refuse after the room for them was made.
std::size_t length_of(const Model& model, py::ssize_t k) {
  constexpr py::ssize_t most = 1000000;
  if (k < 1 || k > most) {
    throw Failure("k = " + std::to_string(k) + " is out of range: from 1 up to " + std::to_string(most),
                  Failure::Kind::usage);
  }
  return std::min(static_cast<std::size_t>(k), std::max<std::size_t>(model.items().size(), 1));
}

/// Options as the package gives them, with the columns that they look at.
ListOptions options_of(const Model& model, const py::dict& given) {
  ListOptions out;
  out.k = length_of(model, given["k"].cast<py::ssize_t>());
  out.include_seen = given["include_seen"].cast<bool>();
  if (!given["candidates"].is_none()) out.candidates = given["candidates"].cast<Texts>();
  out.exclude = given["exclude"].cast<Texts>();
  out.filter = given["filter"].cast<std::map<std::string, Texts>>();
  out.features = given["features"].cast<std::map<std::string, std::string>>();
  for (const auto& one : given["history"]) {
    const auto [item, label] = one.cast<std::pair<std::string, std::optional<double>>>();
    out.history.push_back({item, label});
  }
  out.more_rows = arrays_of(given["more_rows"].cast<Columns>());
  return out;
}

struct Lists {
  Lists(std::size_t users, std::size_t k)
      : items({static_cast<py::ssize_t>(users), static_cast<py::ssize_t>(k)}),
        scores({static_cast<py::ssize_t>(users), static_cast<py::ssize_t>(k)}) {}
  ListArrays places() {
    const auto size = static_cast<std::size_t>(items.size());
    return {{items.mutable_data(), size}, {scores.mutable_data(), size}};
  }
  py::tuple tuple() const { return py::make_tuple(items, scores); }
  py::array_t<std::int32_t> items;
  py::array_t<float> scores;
};

// Places without an item have −1 and NaN.
py::tuple many(const Model& model, const Column& users, const py::dict& given, const py::object& hooks) {
  const ListOptions options = options_of(model, given);
  Lists lists(users.size(), options.k);
  const ListArrays places = lists.places();
  const Callbacks callbacks = callbacks_of(hooks);
  unlocked([&] { model.recommend(users.ids(), options, places, callbacks); });
  return lists.tuple();
}

py::tuple one_by(const Model& model, const Ids& user, py::ssize_t k) {
  ListOptions options;
  options.k = length_of(model, k);
  Lists lists(1, options.k);
  const ListArrays places = lists.places();
  unlocked([&] { model.recommend(user, options, places); });
  return lists.tuple();
}

py::tuple of_similar(const Model& model, const std::string& item, const py::dict& given) {
  const ListOptions options = options_of(model, given);
  const auto found = unlocked([&] { return model.similar(item, options); });
  Texts items;
  std::vector<double> scores;
  for (const Recommendation& one : found) {
    items.push_back(one.item);
    scores.push_back(one.score);
  }
  return py::make_tuple(texts_of(items), scores);
}

}  // namespace

void bind_lists(py::class_<Model>& model) {
  model.def("recommend", &many)
      .def(
          "recommend_one",
          [](const Model& m, std::int64_t user, py::ssize_t k) { return one_by(m, std::span(&user, 1), k); },
          py::arg().noconvert(), py::arg())
      .def("recommend_one",
           [](const Model& m, std::string_view user, py::ssize_t k) { return one_by(m, std::span(&user, 1), k); })
      .def("similar", &of_similar)
      .def("item_names", [](const Model& m) { return texts_of(m.item_names()); })
      .def("item_column", [](const Model& m, const std::string& name) { return texts_of(m.item_column(name)); })
      .def("item_column_is_number", &Model::item_column_is_number);
}

}  // namespace equipoise::python
