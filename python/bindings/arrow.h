// Tables that come over Arrow's C data interface: polars, pyarrow, duckdb and whatever else speaks it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow_abi.h"
#include "columns.h"

namespace equipoise::python {

/// Releases what it holds when it goes.
template <class Struct>
struct Released {
  Released() = default;
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() {
    if (value.release != nullptr) value.release(&value);
  }
  Struct value = {};
};

/// What stands for a value that is missing.
enum class Missing { refused, blank, nan };

/// All batches of a stream, only read.
class ArrowTable {
 public:
  /// Takes the stream out of its capsule.
  explicit ArrowTable(const py::capsule& stream);

  /// The columns' names; one without a name where the stream is a column by itself.
  std::vector<std::string> names() const;
  std::size_t rows() const;
  /// "text", a name of numpy's, or "" for what this module does not read.
  std::string type(std::size_t column) const;
  /// Numbers lie where they lay where there is one batch and nothing is missing, and are copied otherwise. `where`
  /// begins messages about a row.
  std::unique_ptr<Column> column(std::size_t column, const std::string& where, Missing missing) const;

 private:
  bool is_table() const;
  const ArrowSchema& schema_of(std::size_t column) const;

  Released<ArrowSchema> schema_;
  std::vector<std::unique_ptr<Released<ArrowArray>>> batches_;
};

}  // namespace equipoise::python
