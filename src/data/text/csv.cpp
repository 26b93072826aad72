// The CSV reader: header, width and numbers of records, with errors that name the place.
#include "data/text/csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "core/quote.h"
#include "core/text.h"

namespace equipoise {
namespace {

constexpr std::size_t kLongestName = 500;  // bytes; names of features become names of arrays in model files

}  // namespace

void CsvReader::Header::read(const CsvRecords& records) {
  const bool lenient = records.format().lenient;
  if (lenient && width > 1 && records.field(width - 1).empty()) --width;  // a separator too many
  places = records.places();
  names.reserve(width);  // the keys of `numbers` must not move
  for (std::size_t c = 0; c < width; ++c) {
    const std::string& name = names.emplace_back(records.field(c));
    if (name.empty() && lenient && c == 0) continue;  // as programs write the numbers of rows
    if (name.empty()) throw DataError(places[c], "empty column name in the header");
    if (name.size() > kLongestName) {
      throw DataError(places[c],
                      fmt::format("a column name of {} bytes, expected at most {}", name.size(), kLongestName));
    }
    const auto [same, added] = numbers.emplace(name, c);
    if (!added && !lenient) {
      throw DataError(places[c], fmt::format("column {} occurs twice in the header, first as column {}",
                                             in_quotes(name), same->second + 1));
    }
  }
}

void CsvReader::refuse_width() const {
  const std::size_t found = records_.width();
  throw DataError(found > width() ? place(width()) : records_.end_place(),
                  fmt::format("{} field{}, expected {} as on line 1{}", found, found == 1 ? "" : "s", width(),
                              format().lenient ? "; a field that has the separator in it needs quotes" : ""));
}

// One field too many is no field where it is empty: the line ends in a separator.
bool CsvReader::ends_in_separator() const {
  return format().lenient && records_.width() == width() + 1 && records_.field(width()).empty();
}

CsvReader::CsvReader(const std::string& path, CsvFormat format, StreamHash* hash)
    : records_(path, format, hash), header_(std::make_shared<Header>()) {
  if (!records_.next()) throw DataError(Place{file()}, "is empty");
  header_->width = records_.width();
  if (format.header)
    header_->read(records_);
  else
    waiting_ = true;
}

CsvReader::CsvReader(const CsvReader& beginning, std::unique_ptr<ByteSource> rest, std::int64_t first_line)
    : records_(beginning.file(), beginning.format(), std::move(rest), first_line), header_(beginning.header_) {}

CsvReader::CsvReader(const CsvReader& beginning, std::string_view lines, std::int64_t first_line)
    : records_(beginning.file(), beginning.format(), lines, first_line), header_(beginning.header_) {}

std::unique_ptr<ByteSource> CsvReader::release() { return records_.release(std::exchange(waiting_, false)); }

std::size_t CsvReader::find_column(std::string_view name) const {
  const auto at = header_->numbers.find(name);
  return at == header_->numbers.end() ? npos : at->second;
}

std::size_t CsvReader::column(std::string_view name) const {
  const std::size_t found = find_column(name);
  if (found == npos) {
    throw DataError(Place{file(), 1, 0}, fmt::format("no column {}; columns: {}", in_quotes(name), shown_header()));
  }
  return found;
}

std::string CsvReader::shown_header() const {
  std::vector<std::string> names;
  constexpr std::size_t kShown = 50;
  for (const std::string& name : header()) {
    if (names.size() == kShown) {
      names.push_back(fmt::format("… ({} in all)", width()));
      break;
    }
    const std::string shown = in_quotes(name);
    names.push_back(shown.substr(1, shown.size() - 2));
  }
  const bool one = names.size() == 1;
  return join(names, ", ") + (one ? " (is the separator another one? separator names it)" : "");
}

Place CsvReader::header_place(std::size_t column) const {
  return format().header ? header_->places[column] : Place{file(), 1, 0};
}

template <class T>
T CsvReader::expect(std::size_t column, const std::optional<T>& value, const char* expected) const {
  if (value) return *value;
  throw DataError(place(column), fmt::format("{} is not {}", in_quotes(field(column)), expected));
}

double CsvReader::any_number(std::size_t column) const {
  const double value = expect(column, parse_double(field(column)), "a number");
  if (std::isfinite(value)) return value;
  throw DataError(place(column), fmt::format("{} is not a finite number", in_quotes(field(column))));
}

float CsvReader::real(std::size_t column) const {
  // Rounding twice (text to double to float) can differ from rounding once, which is what a round trip needs.
  const auto rounded_twice = static_cast<float>(number(column));
  const std::string_view text = field(column);
  float value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) value = rounded_twice;
  if (!std::isfinite(value)) throw DataError(place(column), fmt::format("{} is too large", in_quotes(text)));
  return value;
}

std::int64_t CsvReader::any_whole(std::size_t column) const {
  const std::string_view text = field(column);
  if (const auto value = parse_int(text)) return *value;
  constexpr double kExact = 0x1.0p53;
  auto value = parse_double(text);
  if (value && !(std::abs(*value) < kExact && std::trunc(*value) == *value)) value.reset();
  return static_cast<std::int64_t>(expect(column, value, "a whole number"));
}

void expect_rows(const CsvReader& reader, std::size_t rows) {
  if (rows == 0) throw DataError(Place{reader.file()}, "has a header and no rows");
}

void append_csv_field(std::string& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char letter : text) {
    if (letter == '"') line += '"';
    line += letter;
  }
  line += '"';
}

}  // namespace equipoise
