// Reads CSV and TSV strictly and fast: quotes, gz and zst, stdin; every error names file, line and column.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/digits.h"
#include "core/error.h"
#include "data/text/csv_records.h"

namespace equipoise {

/// One record after another. Refuses bad UTF-8, NUL bytes, unterminated quotes, records of another width than the
/// first, an empty file. Blank lines at the end are allowed, elsewhere they are errors. CRLF and LF both end a line, a
/// CR elsewhere is an error. A UTF-8 byte order mark at the beginning is skipped. After an error there is nothing more
/// to ask for.
class CsvReader {
 public:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// "-" is stdin; gzip and zstd are told by their first bytes (and a .gz or .zst name that is neither is an error).
  /// A hash that is given gets every byte (unpacked) by the time that the last record was read.
  explicit CsvReader(const std::string& path, CsvFormat format = {}, StreamHash* hash = nullptr);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// Reads the rest of that file: names and width as there, the next record on that line.
  CsvReader(const CsvReader& beginning, std::unique_ptr<ByteSource> rest, std::int64_t first_line);
  /// Some whole lines of it that stay where they are, with kPadding bytes behind them that may be read.
  CsvReader(const CsvReader& beginning, std::string_view lines, std::int64_t first_line);
  static constexpr std::size_t kPadding = CsvRecords::kPadding;
  /// Gives away what has not been read, behind `lines_read` lines; this reader is then at its end.
  std::unique_ptr<ByteSource> release();
  std::int64_t lines_read() const { return waiting_ ? 0 : records_.lines_read(); }
  const CsvFormat& format() const { return records_.format(); }

  /// The column names; empty when the format has no header. Duplicate or empty names are errors where the format is
  /// not lenient.
  const std::vector<std::string>& header() const { return header_->names; }
  /// The column names in one line, for messages.
  std::string shown_header() const;
  /// The number of the column of that name; DataError with the known names if there is none.
  std::size_t column(std::string_view name) const;
  /// The number of the (first) column of that name, or npos.
  std::size_t find_column(std::string_view name) const;

  /// Moves to the next record; false at the end.
  bool next() {
    if (std::exchange(waiting_, false)) return true;
    if (!records_.next()) return false;
    if (records_.width() != width() && !ends_in_separator()) refuse_width();
    return true;
  }
  std::size_t width() const { return header_->width; }
  /// Valid until the next call of `next`.
  std::string_view field(std::size_t column) const { return records_.field(column); }
  /// Where a field of the current record begins; columns are counted in bytes.
  Place place(std::size_t column) const { return records_.place(column); }
  /// Where the name of a column is; the beginning of the file when there is no header.
  Place header_place(std::size_t column) const;
  /// The line on which the current record begins.
  std::int64_t line() const { return records_.line(); }
  /// The name for messages: the path, or "stdin".
  const std::string& file() const { return records_.file(); }

  /// Fields as numbers, with errors that name the place. NaN and infinities are refused.
  double number(std::size_t column) const {
    const std::string_view text = field(column);
    if (text.size() == 1 && text[0] >= '0' && text[0] <= '9') return text[0] - '0';  // most ratings and labels
    return any_number(column);
  }
  float real(std::size_t column) const;  ///< the nearest float, read as one
  /// "12", or "12.0" as some programs write it.
  std::int64_t whole(std::size_t column) const {
    const std::uint64_t value = read_digits(field(column));
    return value != kNoNumber ? static_cast<std::int64_t>(value) : any_whole(column);
  }

 private:
  struct Header {
    std::size_t width = 0;
    std::vector<std::string> names;
    std::unordered_map<std::string_view, std::size_t> numbers;  // column of each name; views into `names`
    std::vector<Place> places;

    void read(const CsvRecords& records);
  };
  bool ends_in_separator() const;
  [[noreturn]] void refuse_width() const;
  double any_number(std::size_t column) const;
  std::int64_t any_whole(std::size_t column) const;
  template <class T>
  T expect(std::size_t column, const std::optional<T>& value, const char* expected) const;

  CsvRecords records_;
  std::shared_ptr<Header> header_;  // shared with the readers of the same file further on
  bool waiting_ = false;            // the first record has been read to learn the width, and is still to be given out
};

/// DataError that the file has a header and no rows, if `rows` is 0.
void expect_rows(const CsvReader& reader, std::size_t rows);

/// Writes fields with quotes only where they are needed; used with AtomicFile.
void append_csv_field(std::string& line, std::string_view text);

}  // namespace equipoise
