// Reads CSV and TSV strictly and fast: quotes, gz and zst, stdin; every error names file, line and column.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace equipoise {

struct CsvFormat {
  char separator = ',';
  bool header = true;
};

/// One record after another. Refuses bad UTF-8, NUL bytes, unterminated quotes, records of another width than the
/// first, an empty file. Blank lines at the end are allowed, elsewhere they are errors. CRLF and LF both end a line.
class CsvReader {
 public:
  /// "-" is stdin; gzip and zstd are told by their first bytes (and a .gz or .zst name that is neither is an error).
  CsvReader(const std::string& path, CsvFormat format = {});
  ~CsvReader();
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// The column names; empty when the format has no header. Duplicate or empty names are errors.
  const std::vector<std::string>& header() const;
  /// The number of the column of that name; DataError with the known names if there is none.
  std::size_t column(std::string_view name) const;
  /// The same, or npos.
  std::size_t find_column(std::string_view name) const;

  /// Moves to the next record; false at the end.
  bool next();
  std::size_t width() const;
  /// Valid until the next call of `next`.
  std::string_view field(std::size_t column) const;
  /// Where a field of the current record begins.
  Place place(std::size_t column) const;

  /// Fields as numbers, with errors that name the place. NaN and infinities are refused.
  double number(std::size_t column) const;
  std::int64_t whole(std::size_t column) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes fields with quotes only where they are needed; used with AtomicFile.
void append_csv_field(std::string& line, std::string_view text);

}  // namespace equipoise
