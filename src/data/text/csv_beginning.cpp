// What the first bytes of a table show of how the rest is written: encoding, line ends, separator.
#include <algorithm>

#include "core/error.h"
#include "data/text/csv_records.h"
#include "data/text/separator.h"

namespace equipoise {
namespace {

/// CR alone ends a line: each becomes a line feed.
class OldMacSource : public ByteSource {
 public:
  explicit OldMacSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = source_->read(out, size);
    std::replace(out, out + count, '\r', '\n');
    return count;
  }

 private:
  std::unique_ptr<ByteSource> source_;
};

}  // namespace

// What the first bytes say about how the rest is written.
void CsvRecords::look_at_beginning() {
  const std::string_view bytes(next_, static_cast<std::size_t>(end_ - next_));
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    throw DataError(Place{file_, 1, 1}, "is UTF-16 text; encoding = utf16 reads it");
  }
  if (ends_lines_in_cr()) {
    std::replace(buffer_.get(), buffer_.get() + (end_ - buffer_.get()), '\r', '\n');
    if (!ended_) source_ = std::make_unique<OldMacSource>(std::move(source_));
  }
  if (!format_.find_separator) return;
  format_.separator = find_separator(bytes, format_.separator, format_.quotes);
  ends_.use(format_.separator);
}

// Whether there is a CR and no line feed, but for one that was added to the last line.
bool CsvRecords::ends_lines_in_cr() const {
  if (next_ == end_) return false;
  const char* last = ended_ ? end_ - 1 : end_;
  if (std::find(next_, last, '\n') != last) return false;
  const char* cr = std::find(next_, last, '\r');
  return ended_ ? cr != last : cr < last - 1;  // a CR at the very end may be half of a CRLF
}

}  // namespace equipoise
