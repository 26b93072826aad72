// The CSV reader: header, width and numbers of records, with errors that name the place.
#include "data/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/quote.h"
#include "core/text.h"
#include "data/csv_records.h"

namespace equipoise {
namespace {

constexpr std::size_t kLongestName = 500;  // bytes; names of features become names of arrays in model files

}  // namespace

struct CsvReader::Header {
  std::size_t width = 0;
  std::vector<std::string> names;
  std::unordered_map<std::string_view, std::size_t> numbers;  // column of each name; views into `names`
  std::vector<Place> places;

  void read(const CsvRecords& records);
};

struct CsvReader::State {
  State(const std::string& path, CsvFormat csv_format)
      : records(path, csv_format), format(csv_format), header(std::make_shared<Header>()) {}
  template <class Bytes>
  State(const State& beginning, Bytes bytes, std::int64_t first_line)
      : records(beginning.records.file(), beginning.format, std::move(bytes), first_line),
        format(beginning.format),
        header(beginning.header) {}

  void check_width() const;
  template <class T>
  T expect(std::size_t column, const std::optional<T>& value, const char* expected) const {
    if (!value) {
      throw DataError(records.place(column), fmt::format("{} is not {}", in_quotes(records.field(column)), expected));
    }
    return *value;
  }

  CsvRecords records;
  CsvFormat format;
  std::shared_ptr<Header> header;  // shared with the readers of the same file further on
  bool waiting = false;            // the first record has been read to learn the width, and is still to be given out
};

void CsvReader::Header::read(const CsvRecords& records) {
  places = records.places();
  names.reserve(width);  // the keys of `numbers` must not move
  for (std::size_t c = 0; c < width; ++c) {
    const std::string& name = names.emplace_back(records.field(c));
    if (name.empty()) throw DataError(places[c], "empty column name in the header");
    if (name.size() > kLongestName) {
      throw DataError(places[c],
                      fmt::format("a column name of {} bytes, expected at most {}", name.size(), kLongestName));
    }
    const auto [same, added] = numbers.emplace(name, c);
    if (!added) {
      throw DataError(places[c], fmt::format("column {} stands twice in the header, first as column {}",
                                             in_quotes(name), same->second + 1));
    }
  }
}

void CsvReader::State::check_width() const {
  const std::size_t found = records.width();
  if (found == header->width) return;
  throw DataError(found > header->width ? records.place(header->width) : records.end_place(),
                  fmt::format("{} field{}, expected {} as on line 1", found, found == 1 ? "" : "s", header->width));
}

CsvReader::CsvReader(const std::string& path, CsvFormat format) : state_(std::make_unique<State>(path, format)) {
  if (!state_->records.next()) throw DataError(Place{file()}, "is empty");
  state_->header->width = state_->records.width();
  if (format.header)
    state_->header->read(state_->records);
  else
    state_->waiting = true;
  fields_ = state_->records.fields();
}

CsvReader::CsvReader(const CsvReader& beginning, std::unique_ptr<ByteSource> rest, std::int64_t first_line)
    : state_(std::make_unique<State>(*beginning.state_, std::move(rest), first_line)) {}

CsvReader::CsvReader(const CsvReader& beginning, std::string_view lines, std::int64_t first_line)
    : state_(std::make_unique<State>(*beginning.state_, lines, first_line)) {}

CsvReader::~CsvReader() = default;

std::unique_ptr<ByteSource> CsvReader::release() {
  return state_->records.release(std::exchange(state_->waiting, false));
}

std::int64_t CsvReader::lines_read() const { return state_->waiting ? 0 : state_->records.lines_read(); }

const CsvFormat& CsvReader::format() const { return state_->format; }

const std::vector<std::string>& CsvReader::header() const { return state_->header->names; }

std::size_t CsvReader::find_column(std::string_view name) const {
  const auto at = state_->header->numbers.find(name);
  return at == state_->header->numbers.end() ? npos : at->second;
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
  const bool one = names.size() == 1 && names[0].find_first_of(";|,\\") != std::string::npos;
  return join(names, ", ") + (one ? " (is the separator another one?)" : "");
}

bool CsvReader::next() {
  if (state_->waiting) {
    state_->waiting = false;
    return true;
  }
  if (!state_->records.next()) return false;
  fields_ = state_->records.fields();
  state_->check_width();
  return true;
}

std::size_t CsvReader::width() const { return state_->header->width; }
Place CsvReader::place(std::size_t column) const { return state_->records.place(column); }
std::int64_t CsvReader::line() const { return state_->records.line(); }
const std::string& CsvReader::file() const { return state_->records.file(); }

Place CsvReader::header_place(std::size_t column) const {
  return state_->format.header ? state_->header->places[column] : Place{file(), 1, 0};
}

double CsvReader::number(std::size_t column) const {
  const std::string_view text = field(column);
  if (text.size() == 1 && text[0] >= '0' && text[0] <= '9') return text[0] - '0';  // most ratings and labels
  const double value = state_->expect(column, parse_double(text), "a number");
  if (!std::isfinite(value)) throw DataError(place(column), fmt::format("{} is not a finite number", in_quotes(text)));
  return value;
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

std::int64_t CsvReader::whole(std::size_t column) const {
  const std::string_view text = field(column);
  if (const auto value = parse_int(text)) return *value;
  constexpr double kExact = 0x1.0p53;
  auto value = parse_double(text);
  if (value && !(std::abs(*value) < kExact && std::trunc(*value) == *value)) value.reset();
  return static_cast<std::int64_t>(state_->expect(column, value, "a whole number"));
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
