// Columns of numpy arrays and of lists of texts.
#include "columns.h"

#include <pybind11/numpy.h>

namespace equipoise::python {

namespace {

// Calls f with a null pointer to the numbers' type.
template <class F>
auto with_type(NumberType type, F f) {
  switch (type.letter * 16 + type.bytes) {
    case 'i' * 16 + 1:
      return f(static_cast<const std::int8_t*>(nullptr));
    case 'i' * 16 + 2:
      return f(static_cast<const std::int16_t*>(nullptr));
    case 'i' * 16 + 4:
      return f(static_cast<const std::int32_t*>(nullptr));
    case 'u' * 16 + 1:
      return f(static_cast<const std::uint8_t*>(nullptr));
    case 'u' * 16 + 2:
      return f(static_cast<const std::uint16_t*>(nullptr));
    case 'u' * 16 + 4:
      return f(static_cast<const std::uint32_t*>(nullptr));
    case 'u' * 16 + 8:
      return f(static_cast<const std::uint64_t*>(nullptr));
    case 'f' * 16 + 4:
      return f(static_cast<const float*>(nullptr));
    case 'f' * 16 + 8:
      return f(static_cast<const double*>(nullptr));
    case 'b' * 16 + 1:
      return f(static_cast<const bool*>(nullptr));
    default:
      return f(static_cast<const std::int64_t*>(nullptr));
  }
}

std::string_view view_of(PyObject* text, const std::string& where, std::size_t row) {
  if (!PyUnicode_CheckExact(text)) throw py::type_error("not a text");
  py::ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();  // half of a surrogate pair
  throw Failure(where + ", row " + std::to_string(row + 1) + ": not valid UTF-8 text", Failure::Kind::bad_data);
}

// The list is the column's own: nobody else can take a text out of it while it is looked at.
// TypeError where one of them is something else.
std::unique_ptr<Column> from_texts(const py::list& texts, const std::string& where) {
  std::vector<std::string_view> views(texts.size());
  for (std::size_t k = 0; k < views.size(); ++k) {
    views[k] = view_of(PyList_GET_ITEM(texts.ptr(), static_cast<py::ssize_t>(k)), where, k);
  }
  return std::make_unique<Column>(texts, std::move(views));
}

std::unique_ptr<Column> from_array(const py::array& values) {
  const NumberType type{values.dtype().kind(), static_cast<int>(values.itemsize())};
  if (values.ndim() != 1 || std::string_view("iufb").find(type.letter) == std::string_view::npos || type.bytes > 8 ||
      (type.letter == 'f' && type.bytes < 4)) {
    throw Failure("a column must be one row of whole or floating-point numbers", Failure::Kind::usage);
  }
  return std::make_unique<Column>(values, type, values.data(), static_cast<std::size_t>(values.size()),
                                  values.size() > 1 ? values.strides(0) : values.itemsize());
}

}  // namespace

Column::Column(py::object owner, NumberType type, const void* first, std::size_t size, std::ptrdiff_t stride)
    : owner_(std::move(owner)), type_(type), first_(first), size_(size), stride_(stride) {}
Column::Column(std::vector<char> bytes, NumberType type, std::size_t size)
    : bytes_(std::move(bytes)), type_(type), first_(bytes_.data()), size_(size), stride_(type.bytes) {}
Column::Column(py::object owner, std::vector<std::string_view> texts)
    : owner_(std::move(owner)), texts_(std::move(texts)), is_text_(true), size_(texts_.size()) {}
Column::Column(std::unique_ptr<Column> codes, std::unique_ptr<Column> dictionary)
    : codes_(std::move(codes)),
      dictionary_(std::move(dictionary)),
      dictionary_ids_(dictionary_->ids()),
      type_(codes_->type_),
      first_(codes_->first_),
      size_(codes_->size_),
      stride_(codes_->stride_) {}

std::string Column::type() const {
  if (dictionary_) return dictionary_->type();
  if (is_text_) return "text";
  if (type_.letter == 'b') return "bool";
  return (type_.letter == 'i' ? "int" : type_.letter == 'u' ? "uint" : "float") + std::to_string(8 * type_.bytes);
}

Ids Column::ids() const {
  if (is_text_) return texts_;
  return with_type(type_, [&](auto* type) -> Ids {
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
    if constexpr (detail::IdLike<T>) {
      const Ids values(Strided<T>{static_cast<const T*>(first_), size_, stride_});
      return dictionary_ ? Ids(values, dictionary_ids_) : values;
    } else {
      throw Failure("ids must be texts or whole numbers", Failure::Kind::usage);
    }
  });
}

Numbers Column::numbers() const {
  if (is_text_ || dictionary_) throw Failure("a column of numbers holds texts", Failure::Kind::usage);
  return with_type(type_, [&](auto* type) -> Numbers {
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
    return Strided<T>{static_cast<const T*>(first_), size_, stride_};
  });
}

std::vector<std::string> Column::texts() const {
  std::vector<std::string> out;
  out.reserve(size_);
  const Ids all = ids();
  char room[24];
  for (std::size_t k = 0; k < size_; ++k) out.emplace_back(all.text(k, room));
  return out;
}

LogArrays arrays_of(const Columns& columns, const std::map<std::string, std::string>& names) {
  LogArrays out;
  for (const auto& [role, column] : columns) {
    if (role == "user") out.user = column->ids();
    if (role == "item") out.item = column->ids();
    if (role == "label") out.label = column->numbers();
    if (role == "weight") out.weight = column->numbers();
    if (role == "propensity") out.propensity = column->numbers();
    if (role == "timestamp") out.timestamp = column->numbers();
  }
  out.names = names;
  return out;
}

void bind_columns(py::module_& m) {
  py::class_<Column, std::shared_ptr<Column>>(m, "Column")
      .def(py::init([](const py::array& values) { return from_array(values); }))
      .def(py::init([](const py::list& texts, const std::string& where) { return from_texts(texts, where); }))
      .def(py::init([](const py::array& codes, const py::list& texts, const std::string& where) {
        return std::make_unique<Column>(from_array(codes), from_texts(texts, where));
      }))
      .def("__len__", &Column::size)
      .def_property_readonly("type", &Column::type);
}

}  // namespace equipoise::python
