// Calling Python's side of an outside method: with the interpreter's lock, and with its exceptions in our words.
#include "outside.h"

#include <pybind11/numpy.h>

namespace equipoise::python {

namespace {

// "ValueError: what it says", one line without a traceback.
std::string words_of(const py::error_already_set& error) {
  const std::string type = py::str(error.type().attr("__name__"));
  const std::string text = py::str(error.value());
  return text.empty() ? type : type + ": " + text;
}

// Calls f with the lock. An Exception is why the trial failed; what is none (Ctrl-C, an exit) ends the comparison.
template <class F>
auto locked(const std::shared_ptr<Held>& held, F f) -> decltype(f()) {
  const py::gil_scoped_acquire lock;
  try {
    return f();
  } catch (const py::error_already_set& error) {
    if (error.matches(PyExc_Exception)) throw std::runtime_error(words_of(error));
    held->thrown = std::current_exception();
    throw Failure("interrupted", Failure::Kind::interrupted);
  }
}

// A numpy array that looks at the span; it must not be kept.
template <class T>
py::array view_of(std::span<T> values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  py::array out(py::dtype::of<std::remove_const_t<T>>(), {size}, {static_cast<py::ssize_t>(sizeof(T))}, values.data(),
                py::none());
  if constexpr (std::is_const_v<T>) out.attr("flags").attr("writeable") = false;
  return out;
}

// Holds Python's function, and lets it go with the lock.
std::shared_ptr<py::object> kept(py::object function) {
  return {new py::object(std::move(function)), [](py::object* object) {
            const py::gil_scoped_acquire lock;
            delete object;
          }};
}

}  // namespace

OutsideMethod outside_method(const py::object& method, std::shared_ptr<Held> held) {
  OutsideMethod out;
  out.name = method.attr("name").cast<std::string>();
  out.scores_are_chances = method.attr("scores_are_chances").cast<bool>();
  for (const auto& one : method.attr("kinds")) {
    const auto [name, values, kind] = one.cast<std::tuple<std::string, std::vector<std::string>, std::string>>();
    out.search.push_back({name, values, kind});
  }
  out.train = [object = method.ptr(), held](const Data& data, const Parameters& settings, std::uint64_t seed) {
    const auto score = locked(held, [&] { return kept(py::handle(object).attr("train")(data, settings, seed)); });
    return [score, held](std::span<const std::int32_t> users, std::span<const std::int32_t> items,
                         std::span<float> places) {
      locked(held, [&] { (*score)(view_of(users), view_of(items), view_of(places)); });
    };
  };
  return out;
}

}  // namespace equipoise::python
