// Values of Arrow arrays by their layouts: looked at in place, or gathered piece by piece.
#include "arrow_values.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace equipoise::python {

namespace {

constexpr std::string_view kIntegers = "cCsSiIlL";  // i8 u8 i16 u16 i32 u32 i64 u64

bool is_missing(const ArrowPiece& piece, std::int64_t row) {
  const auto* bits = static_cast<const std::uint8_t*>(piece.array->buffers[0]);
  if (bits == nullptr) return false;
  const std::int64_t at = piece.offset + row;
  return (bits[at / 8] >> (at % 8) & 1) == 0;
}

bool may_miss(const ArrowPiece& piece) {
  return piece.array->null_count != 0 && piece.array->n_buffers > 0 && piece.array->buffers[0] != nullptr;
}

template <class T>
T at(const ArrowPiece& piece, int buffer, std::int64_t place) {
  T value;
  std::memcpy(&value, static_cast<const char*>(piece.array->buffers[buffer]) + place * std::int64_t{sizeof(T)},
              sizeof(T));
  return value;
}

template <class Offset>
std::string_view text_by_offsets(const ArrowPiece& piece, std::int64_t row) {
  const auto from = at<Offset>(piece, 1, piece.offset + row), to = at<Offset>(piece, 1, piece.offset + row + 1);
  return {static_cast<const char*>(piece.array->buffers[2]) + from, static_cast<std::size_t>(to - from)};
}

// Sixteen bytes: the size, then the text itself where it fits, or its beginning, a buffer's number and the place in it.
std::string_view text_by_view(const ArrowPiece& piece, std::int64_t row) {
  const char* view = static_cast<const char*>(piece.array->buffers[1]) + 16 * (piece.offset + row);
  std::int32_t words[4];
  std::memcpy(words, view, sizeof words);
  const auto size = static_cast<std::size_t>(words[0]);
  if (size <= 12) return {view + 4, size};
  return {static_cast<const char*>(piece.array->buffers[2 + words[2]]) + words[3], size};
}

std::string_view text_at(ArrowType::Layout layout, const ArrowPiece& piece, std::int64_t row) {
  if (layout == ArrowType::Layout::text32) return text_by_offsets<std::int32_t>(piece, row);
  if (layout == ArrowType::Layout::text64) return text_by_offsets<std::int64_t>(piece, row);
  return text_by_view(piece, row);
}

std::int64_t whole_at(NumberType type, const ArrowPiece& piece, std::int64_t row) {
  const std::int64_t place = piece.offset + row;
  switch (type.letter * 16 + type.bytes) {
    case 'i' * 16 + 1:
      return at<std::int8_t>(piece, 1, place);
    case 'i' * 16 + 2:
      return at<std::int16_t>(piece, 1, place);
    case 'i' * 16 + 4:
      return at<std::int32_t>(piece, 1, place);
    case 'u' * 16 + 1:
      return at<std::uint8_t>(piece, 1, place);
    case 'u' * 16 + 2:
      return at<std::uint16_t>(piece, 1, place);
    case 'u' * 16 + 4:
      return at<std::uint32_t>(piece, 1, place);
    default:
      return at<std::int64_t>(piece, 1, place);
  }
}

double number_at(NumberType type, const ArrowPiece& piece, std::int64_t row) {
  if (type.letter == 'u' && type.bytes == 8) {
    return static_cast<double>(at<std::uint64_t>(piece, 1, piece.offset + row));
  }
  if (type.letter == 'f') {
    return type.bytes == 4 ? static_cast<double>(at<float>(piece, 1, piece.offset + row))
                           : at<double>(piece, 1, piece.offset + row);
  }
  return static_cast<double>(whole_at(type, piece, row));
}

/// The pieces of one column, row after row, with what is missing found out.
class Rows {
 public:
  Rows(const std::vector<ArrowPiece>& pieces, std::string where) : pieces_(pieces), where_(std::move(where)) {}

  std::size_t size() const {
    std::int64_t size = 0;
    for (const ArrowPiece& piece : pieces_) size += piece.length;
    return static_cast<std::size_t>(size);
  }
  bool complete() const {
    for (const ArrowPiece& piece : pieces_) {
      if (!may_miss(piece)) continue;
      for (std::int64_t row = 0; row < piece.length; ++row) {
        if (is_missing(piece, row)) return false;
      }
    }
    return true;
  }
  /// f(piece, row, missing) for each row.
  template <class F>
  void each(F f) const {
    for (const ArrowPiece& piece : pieces_) {
      const bool some = may_miss(piece);
      for (std::int64_t row = 0; row < piece.length; ++row) f(piece, row, some && is_missing(piece, row));
    }
  }
  void refuse_missing() const {
    std::size_t number = 0;
    each([&](const ArrowPiece&, std::int64_t, bool missing) {
      ++number;
      if (missing) {
        throw Failure(where_ + ", row " + std::to_string(number) + ": the value is missing", Failure::Kind::bad_data);
      }
    });
  }

 private:
  const std::vector<ArrowPiece>& pieces_;
  std::string where_;
};

template <class T>
void append(std::vector<char>& bytes, T value) {
  const auto* from = reinterpret_cast<const char*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof value);
}

std::unique_ptr<Column> texts(ArrowType::Layout layout, const Rows& rows) {
  std::vector<std::string_view> out;
  out.reserve(rows.size());
  rows.each([&](const ArrowPiece& piece, std::int64_t row, bool missing) {
    out.push_back(missing ? std::string_view() : text_at(layout, piece, row));
  });
  return std::make_unique<Column>(py::object(), std::move(out));
}

std::unique_ptr<Column> coded(const ArrowType& type, const Rows& rows) {
  const auto entry = [&](const ArrowPiece& piece, std::int64_t row) {
    return std::pair(ArrowPiece{piece.array->dictionary, piece.array->dictionary->offset, 0},
                     whole_at(type.number, piece, row));
  };
  if (type.values->is_text()) {
    std::vector<std::string_view> out;
    out.reserve(rows.size());
    rows.each([&](const ArrowPiece& piece, std::int64_t row, bool missing) {
      const auto [values, code] = entry(piece, missing ? 0 : row);
      out.push_back(missing || is_missing(values, code) ? std::string_view()
                                                        : text_at(type.values->layout, values, code));
    });
    return std::make_unique<Column>(py::object(), std::move(out));
  }
  std::vector<char> bytes;
  rows.each([&](const ArrowPiece& piece, std::int64_t row, bool missing) {
    const auto [values, code] = entry(piece, row);
    append(bytes, missing ? std::numeric_limits<std::int64_t>::min() : whole_at(type.values->number, values, code));
  });
  return std::make_unique<Column>(std::move(bytes), NumberType{'i', 8}, rows.size());
}

std::unique_ptr<Column> as_doubles(const Rows& rows,
                                   const std::function<double(const ArrowPiece&, std::int64_t)>& value) {
  std::vector<char> bytes;
  bytes.reserve(8 * rows.size());
  rows.each([&](const ArrowPiece& piece, std::int64_t row, bool missing) {
    append(bytes, missing ? std::numeric_limits<double>::quiet_NaN() : value(piece, row));
  });
  return std::make_unique<Column>(std::move(bytes), NumberType{'f', 8}, rows.size());
}

double seconds(const ArrowType& type, const ArrowPiece& piece, std::int64_t row) {
  const auto time = static_cast<double>(whole_at(type.number, piece, row));
  return type.per_second > 0 ? std::floor(time / static_cast<double>(type.per_second))
                             : time * static_cast<double>(-type.per_second);
}

std::unique_ptr<Column> numbers(NumberType type, const std::vector<ArrowPiece>& pieces, const Rows& rows) {
  const auto bytes_of = [&](const ArrowPiece& piece) {
    return static_cast<const char*>(piece.array->buffers[1]) + piece.offset * type.bytes;
  };
  if (pieces.size() == 1) {
    return std::make_unique<Column>(py::object(), type, bytes_of(pieces.front()), rows.size(), type.bytes);
  }
  std::vector<char> all;
  all.reserve(rows.size() * static_cast<std::size_t>(type.bytes));
  for (const ArrowPiece& piece : pieces) {
    all.insert(all.end(), bytes_of(piece), bytes_of(piece) + piece.length * type.bytes);
  }
  return std::make_unique<Column>(std::move(all), type, rows.size());
}

}  // namespace

ArrowType::ArrowType(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) values = std::make_unique<ArrowType>(*schema.dictionary);
  if (const auto place = kIntegers.find(format); format.size() == 1 && place != std::string_view::npos) {
    layout = Layout::numbers;
    number = {place % 2 == 0 ? 'i' : 'u', 1 << place / 2};
  } else if (format == "f" || format == "g") {
    layout = Layout::numbers;
    number = {'f', format == "f" ? 4 : 8};
  } else if (format == "b") {
    layout = Layout::bits;
    number = {'b', 1};
  } else if (format == "u" || format == "z") {
    layout = Layout::text32;
  } else if (format == "U" || format == "Z") {
    layout = Layout::text64;
  } else if (format == "vu" || format == "vz") {
    layout = Layout::text_views;
  } else if (format.starts_with("ts") || format.starts_with("td")) {
    layout = Layout::times;
    const char unit = format[2];
    number = {'i', unit == 'D' ? 4 : 8};
    per_second = unit == 'D' ? -86400 : unit == 's' ? 1 : unit == 'm' ? 1000 : unit == 'u' ? 1000000 : 1000000000;
  }
}

std::string ArrowType::name() const {
  if (values) return values->is_text() ? "text" : values->layout == Layout::numbers ? "int64" : "";
  if (is_text()) return "text";
  if (layout == Layout::none) return "";
  if (layout == Layout::bits) return "bool";
  if (layout == Layout::times) return "times";
  return (number.letter == 'i' ? "int" : number.letter == 'u' ? "uint" : "float") + std::to_string(8 * number.bytes);
}

std::unique_ptr<Column> arrow_column(const ArrowType& type, const std::vector<ArrowPiece>& pieces,
                                     const std::string& where, Missing missing) {
  if (type.name().empty()) throw Failure(where + ": a column of this type is not read", Failure::Kind::bad_data);
  const Rows rows(pieces, where);
  if (missing == Missing::refused) rows.refuse_missing();
  if (type.values) return coded(type, rows);
  if (type.is_text()) return texts(type.layout, rows);
  if (type.layout == ArrowType::Layout::times) {
    return as_doubles(rows, [&](const ArrowPiece& piece, std::int64_t row) { return seconds(type, piece, row); });
  }
  if (type.layout == ArrowType::Layout::bits) {
    return as_doubles(rows, [](const ArrowPiece& piece, std::int64_t row) {
      const std::int64_t place = piece.offset + row;
      return static_cast<const std::uint8_t*>(piece.array->buffers[1])[place / 8] >> (place % 8) & 1 ? 1.0 : 0.0;
    });
  }
  if (rows.complete()) return numbers(type.number, pieces, rows);
  return as_doubles(rows,
                    [&](const ArrowPiece& piece, std::int64_t row) { return number_at(type.number, piece, row); });
}

}  // namespace equipoise::python
