// Reads CSV and TSV strictly and fast: quotes, gz and zst, stdin; every error names file, line and column.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace equipoise {

class ByteSource;

struct CsvFormat {
  char separator = ',';
  bool header = true;
  bool quotes = true;  // a '"' that begins a field opens a quoted one; elsewhere in a field it is a byte like any other
};

struct CsvField {
  const char* begin = nullptr;  // where it stands, its quote included
  std::string_view text;
  bool doubled = false;  // it has doubled quotes that must become single ones
};

/// One record after another. Refuses bad UTF-8, NUL bytes, unterminated quotes, records of another width than the
/// first, an empty file. Blank lines at the end are allowed, elsewhere they are errors. CRLF and LF both end a line, a
/// CR elsewhere is an error. A UTF-8 byte order mark at the beginning is skipped.
class CsvReader {
 public:
  /// Lengths above this are taken for a quote that was never closed.
  static constexpr std::size_t kLongestRecord = std::size_t{64} << 20;
  /// A field costs more memory than its separator does; no table here is as wide.
  static constexpr std::size_t kMostFields = std::size_t{1} << 18;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// "-" is stdin; gzip and zstd are told by their first bytes (and a .gz or .zst name that is neither is an error).
  explicit CsvReader(const std::string& path, CsvFormat format = {});
  ~CsvReader();
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// The same file further on: names and width as there, the next record on that line.
  CsvReader(const CsvReader& beginning, std::unique_ptr<ByteSource> rest, std::int64_t first_line);
  /// Some whole lines of it that stay where they are, with kPadding bytes behind them that may be read.
  CsvReader(const CsvReader& beginning, std::string_view lines, std::int64_t first_line);
  static constexpr std::size_t kPadding = 32;
  /// Gives away what has not been read, behind `lines_read` lines; this reader is then at its end.
  std::unique_ptr<ByteSource> release();
  std::int64_t lines_read() const;
  const CsvFormat& format() const;

  /// The column names; empty when the format has no header. Duplicate or empty names are errors.
  const std::vector<std::string>& header() const;
  /// The column names in one line, for messages.
  std::string shown_header() const;
  /// The number of the column of that name; DataError with the known names if there is none.
  std::size_t column(std::string_view name) const;
  /// The same, or npos.
  std::size_t find_column(std::string_view name) const;

  /// Moves to the next record; false at the end.
  bool next();
  std::size_t width() const;
  /// Valid until the next call of `next`.
  std::string_view field(std::size_t column) const { return fields_[column].text; }
  /// Where a field of the current record begins; columns are counted in bytes.
  Place place(std::size_t column) const;
  /// Where the name of a column stands; the beginning of the file when there is no header.
  Place header_place(std::size_t column) const;
  /// The line on which the current record begins.
  std::int64_t line() const;
  /// The name for messages: the path, or "stdin".
  const std::string& file() const;

  /// Fields as numbers, with errors that name the place. NaN and infinities are refused.
  double number(std::size_t column) const;
  float real(std::size_t column) const;          ///< the nearest float, read as one
  std::int64_t whole(std::size_t column) const;  ///< "12", or "12.0" as some programs write it

 private:
  struct Header;
  struct State;
  std::unique_ptr<State> state_;
  const CsvField* fields_ = nullptr;  // of the current record
};

/// DataError that the file has a header and no rows, if `rows` is 0.
void expect_rows(const CsvReader& reader, std::size_t rows);

/// Writes fields with quotes only where they are needed; used with AtomicFile.
void append_csv_field(std::string& line, std::string_view text);

}  // namespace equipoise
