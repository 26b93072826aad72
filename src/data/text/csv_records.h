// Cuts a stream of bytes into CSV records and their fields, without copying them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "data/text/byte_source.h"
#include "data/text/encoding.h"

namespace equipoise {

struct CsvFormat {
  char separator = ',';
  bool header = true;
  bool quotes = true;  // a '"' that begins a field opens a quoted one; elsewhere in a field it is a byte like any other
  /// Tables as people have them: lines may end in CR alone, columns may have the same name and the first may have none,
  /// a line may end in a separator too many; and errors name the parameters of logs that help.
  bool lenient = false;
  bool find_separator = false;  // as the first line shows; `separator` is the likely one
  bool skip_blank = false;      // blank lines in the middle are skipped, not refused
  Encoding encoding = Encoding::utf8;
};

struct CsvField {
  const char* begin = nullptr;  // where it begins, its quote included
  std::string_view text;
};

/// Where the fields of a text may end: its separators and line ends, which are found for many bytes at once.
class FieldEnds {
 public:
  explicit FieldEnds(char separator) : separator_(separator) {}
  void use(char separator) { separator_ = separator; }
  /// Those from `at` on; CsvRecords::kPadding bytes behind the end may be read.
  void begin(const char* at, const char* end) {
    ahead_ = at;
    end_ = end;
    taken_ = found_ = 0;
  }
  /// The next one, or the end of the text.
  const char* next() {
    while (taken_ == found_) {
      if (ahead_ == end_) return end_;
      look_ahead();
    }
    return block_ + ends_[taken_++];
  }
  /// The next `count`, counted from `block`, if they are known already; `take` goes on behind them.
  const std::uint16_t* known(std::size_t count) const { return count <= found_ - taken_ ? &ends_[taken_] : nullptr; }
  const char* block() const { return block_; }
  void take(std::size_t count) { taken_ += count; }

 private:
  void look_ahead();

  static constexpr std::size_t kBlock = 2048;  // bytes looked at together
  char separator_;
  const char* block_ = nullptr;
  const char* ahead_ = nullptr;  // not looked at yet
  const char* end_ = nullptr;
  std::size_t taken_ = 0, found_ = 0;
  std::array<std::uint16_t, kBlock> ends_;  // of the block, counted from its beginning
};

/// A record lies whole in one buffer; its fields are views into it, or into a scratch text where quotes were doubled.
class CsvRecords {
 public:
  /// Lengths above this are taken for a quote that was never closed.
  static constexpr std::size_t kLongestRecord = std::size_t{64} << 20;
  /// A field costs more memory than its separator does; no table here is as wide.
  static constexpr std::size_t kMostFields = std::size_t{1} << 18;
  static constexpr std::size_t kPadding = 64;

  CsvRecords(const std::string& path, CsvFormat format, StreamHash* hash);
  /// What comes after the first lines of a file.
  CsvRecords(std::string file, CsvFormat format, std::unique_ptr<ByteSource> source, std::int64_t first_line);
  /// Whole lines that stay where they are, with kPadding bytes behind them that may be read.
  CsvRecords(std::string file, CsvFormat format, std::string_view lines, std::int64_t first_line);

  /// What has not been cut into records, from the current record on if it is `kept`. The records end here.
  std::unique_ptr<ByteSource> release(bool kept);

  /// Moves to the next record; false at the end. Any width is accepted.
  bool next() {
    line_ += breaks_;
    breaks_ = 1;
    record_ = next_;
    if (!skip_blank_lines()) return false;
    if (!cut_alike())
      while (!cut()) fill();
    if (!plain_ || quoted_) finish();
    return true;
  }
  std::size_t width() const { return width_; }
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
  const CsvFormat& format() const { return format_; }

 private:
  bool skip_blank_lines() {
    const bool inside = end_ - record_ >= 2 && *record_ != '\n' && *record_ != '\r';
    return inside || skip_blank_lines_or_fill();
  }
  bool skip_blank_lines_or_fill();
  void look_at_beginning();
  bool ends_lines_in_cr() const;
  inline bool cut_alike();
  bool cut();
  void more_fields(const char* at);
  void finish();
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
  FieldEnds ends_;
  std::string scratch_;
};

// Finds the fields of a record that has as many as the last one and no quotes; false if it is another, or if its ends
// are not known yet (nor the one of a line feed that may follow them).
bool CsvRecords::cut_alike() {
  const std::uint16_t* ends = ends_.known(width_ + 1);
  if (ends == nullptr || width_ == 0) return false;
  const std::size_t last = width_ - 1;
  const char* at = record_;
  CsvField* field = fields_.data();
  bool other = false;
  for (std::size_t c = 0; c <= last; ++c, ++field) {
    const char* end = ends_.block() + ends[c];
    field->begin = at;
    field->text = {at, static_cast<std::size_t>(end - at)};
    other |= (format_.quotes & (*at == '"')) | ((c < last) & (*end != format_.separator));
    at = end + 1;
  }
  const bool crlf = at[-1] == '\r' && *at == '\n';
  if (other || (at[-1] != '\n' && !crlf)) return false;
  quoted_ = false;
  next_ = crlf ? at + 1 : at;
  ends_.take(crlf ? width_ + 1 : width_);
  return true;
}

}  // namespace equipoise
