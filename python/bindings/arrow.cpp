// Streams of Arrow batches: taking them over, and which columns they have.
#include "arrow.h"

#include "arrow_values.h"

namespace equipoise::python {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw Failure(what, Failure::Kind::bad_data); }

void check(ArrowArrayStream& stream, int code, const char* what) {
  if (code == 0) return;
  const char* error = stream.get_last_error(&stream);
  refuse(std::string("the table's ") + what + " cannot be read: " + (error == nullptr ? "no reason given" : error));
}

}  // namespace

ArrowTable::ArrowTable(const py::capsule& capsule) {
  auto* given = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (given == nullptr) throw py::error_already_set();
  if (given->release == nullptr) refuse("the table's stream has been read already");
  Released<ArrowArrayStream> stream;
  stream.value = *given;
  given->release = nullptr;
  check(stream.value, stream.value.get_schema(&stream.value, &schema_.value), "columns");
  while (true) {
    auto batch = std::make_unique<Released<ArrowArray>>();
    check(stream.value, stream.value.get_next(&stream.value, &batch->value), "rows");
    if (batch->value.release == nullptr) break;
    if (batch->value.length > 0) batches_.push_back(std::move(batch));
  }
}

bool ArrowTable::is_table() const { return std::string_view(schema_.value.format) == "+s"; }

const ArrowSchema& ArrowTable::schema_of(std::size_t column) const {
  return is_table() ? *schema_.value.children[column] : schema_.value;
}

std::vector<std::string> ArrowTable::names() const {
  if (!is_table()) return {""};
  std::vector<std::string> out;
  for (std::int64_t k = 0; k < schema_.value.n_children; ++k) {
    const char* name = schema_.value.children[k]->name;
    out.emplace_back(name == nullptr ? "" : name);
  }
  return out;
}

std::size_t ArrowTable::rows() const {
  std::size_t rows = 0;
  for (const auto& batch : batches_) rows += static_cast<std::size_t>(batch->value.length);
  return rows;
}

std::string ArrowTable::type(std::size_t column) const { return ArrowType(schema_of(column)).name(); }

std::unique_ptr<Column> ArrowTable::column(std::size_t column, const std::string& where, Missing missing) const {
  std::vector<ArrowPiece> pieces;
  for (const auto& batch : batches_) {
    const ArrowArray& all = batch->value;
    const ArrowArray& one = is_table() ? *all.children[column] : all;
    pieces.push_back({&one, is_table() ? all.offset + one.offset : one.offset, all.length});
  }
  return arrow_column(ArrowType(schema_of(column)), pieces, where, missing);
}

void bind_arrow(py::module_& m) {
  py::enum_<Missing>(m, "Missing")
      .value("refused", Missing::refused)
      .value("blank", Missing::blank)
      .value("nan", Missing::nan);
  py::class_<ArrowTable>(m, "ArrowTable")
      .def(py::init<const py::capsule&>())
      .def("names", &ArrowTable::names)
      .def("__len__", &ArrowTable::rows)
      .def("type", &ArrowTable::type)
      .def(
          "column",
          [](const ArrowTable& table, std::size_t column, const std::string& where, Missing missing) {
            return std::shared_ptr<Column>(table.column(column, where, missing));
          },
          py::keep_alive<0, 1>());
}

}  // namespace equipoise::python
