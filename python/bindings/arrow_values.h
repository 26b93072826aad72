// Values of Arrow arrays: which types there are, and columns made of the pieces of one.
#pragma once

#include <string>
#include <vector>

#include "arrow.h"

namespace equipoise::python {

/// What the values of a column are, by the letters of its format.
class ArrowType {
 public:
  explicit ArrowType(const ArrowSchema& schema);

  enum class Layout { numbers, bits, text32, text64, text_views, times, none };
  Layout layout = Layout::none;
  NumberType number = {};
  std::int64_t per_second = 0;             // of times: what a second is; below 0: so many seconds are one
  std::unique_ptr<ArrowType> values = {};  // of a dictionary; the type itself is then that of the codes

  bool is_text() const { return layout == Layout::text32 || layout == Layout::text64 || layout == Layout::text_views; }
  /// "text", a name of numpy's, or "" for what is not read.
  std::string name() const;
};

/// Some rows of a column.
struct ArrowPiece {
  const ArrowArray* array;
  std::int64_t offset;
  std::int64_t length;
};

std::unique_ptr<Column> arrow_column(const ArrowType& type, const std::vector<ArrowPiece>& pieces,
                                     const std::string& where, Missing missing);

}  // namespace equipoise::python
