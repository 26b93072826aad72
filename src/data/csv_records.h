// Cuts a stream of bytes into CSV records and their fields, without copying them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "data/byte_source.h"
#include "data/csv.h"

namespace equipoise {

/// A record lies whole in one buffer; its fields are views into it, or into a scratch text where quotes were doubled.
class CsvRecords {
 public:
  CsvRecords(const std::string& path, CsvFormat format);
  /// What comes after the first lines of a file.
  CsvRecords(std::string file, CsvFormat format, std::unique_ptr<ByteSource> source, std::int64_t first_line);
  /// Whole lines that stay where they are, with CsvReader::kPadding bytes behind them that may be read.
  CsvRecords(std::string file, CsvFormat format, std::string_view lines, std::int64_t first_line);

  /// What has not been cut into records, from the current record on if it is `kept`. The records end here.
  std::unique_ptr<ByteSource> release(bool kept);

  /// Moves to the next record; false at the end. Any width is accepted.
  bool next();
  std::size_t width() const { return width_; }
  const CsvField* fields() const { return fields_.data(); }
  std::string_view field(std::size_t column) const { return fields_[column].text; }
  Place place(std::size_t column) const { return place_of(fields_[column].begin); }
  /// Of all fields, in one walk over the record.
  std::vector<Place> places() const;
  /// Just behind the last field.
  Place end_place() const;
  std::int64_t line() const { return line_; }
  /// Up to and with the current record.
  std::int64_t lines_read() const { return line_ + breaks_ - 1; }
  const std::string& file() const { return file_; }

 private:
  bool skip_blank_lines();
  bool cut();
  const char* cut_quoted(const char* open, CsvField& field);
  void join_doubled_quotes();
  void fill();
  void grow();
  void check_bytes(const char* end) const;
  Place place_of(const char* at) const;
  [[noreturn]] void fail(const char* at, const std::string& what) const;

  std::string file_;
  CsvFormat format_;
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  const char* record_;            // the current record begins here
  const char* next_;              // and the next one here
  const char* end_;               // of the bytes in the buffer
  bool ended_ = false;            // the source has no more
  bool plain_ = true;             // the buffer holds ASCII alone and no NUL
  bool quoted_ = false;           // the current record has a quoted field
  std::int64_t line_ = 0;         // of the current record
  std::int64_t breaks_ = 1;       // lines that it takes
  std::vector<CsvField> fields_;  // of the current record, and room for more
  std::size_t width_ = 0;
  std::string scratch_;
};

}  // namespace equipoise
