// Cuts a stream of bytes into CSV records: the buffer, the scan for the ends of fields, quotes, and exact places.
#include "data/text/csv_records.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/fuzzing.h"
#include "core/text.h"

namespace equipoise {
namespace {

constexpr std::size_t kFirstCapacity = kFuzzing ? 64 : std::size_t{64} << 10;  // stays in the second-level cache

/// Which of the next kAtOnce bytes are separators or line ends, the first one as the lowest bit.
#ifdef __SSE2__
constexpr std::size_t kAtOnce = 32;
inline std::uint32_t field_ends(const char* at, char separator) {
  const auto half = [&](const char* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const auto are = [&](char letter) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(letter)); };
    const __m128i ends = _mm_or_si128(are(separator), _mm_or_si128(are('\n'), are('\r')));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(ends));
  };
  return half(at) | half(at + 16) << 16;
}
#else
constexpr std::size_t kAtOnce = 1;
inline std::uint32_t field_ends(const char* at, char separator) {
  return *at == separator || *at == '\n' || *at == '\r' ? 1 : 0;
}
#endif

static_assert(kAtOnce < CsvRecords::kPadding);  // a line end may have been added to the bytes

std::unique_ptr<ByteSource> opened(const std::string& path, const CsvFormat& format, StreamHash* hash) {
  auto source = open_source(path);
  if (hash != nullptr) source = hashed_source(std::move(source), *hash);
  return decoded_source(std::move(source), format.encoding);
}

bool all_plain(const char* begin, const char* end) {
  unsigned char high = 0, zero = 0;
  for (const char* at = begin; at < end; ++at) {
    high |= static_cast<unsigned char>(*at);
    zero |= static_cast<unsigned char>(*at == 0);
  }
  return high < 0x80 && zero == 0;
}

}  // namespace

void FieldEnds::look_ahead() {
  constexpr std::size_t kLook = kFuzzing ? 32 : kBlock;
  static_assert(kLook <= kBlock && kLook % kAtOnce == 0);
  block_ = ahead_;
  const std::size_t size = std::min(kLook, static_cast<std::size_t>(end_ - ahead_));
  ahead_ += size;
  std::uint16_t* out = ends_.data();
  for (std::size_t at = 0; at < size; at += kAtOnce) {
    std::uint32_t ends = field_ends(block_ + at, separator_);
    if (size - at < kAtOnce) ends &= (1U << (size - at)) - 1;
    for (; ends != 0; ends &= ends - 1) {
      *out++ = static_cast<std::uint16_t>(at + static_cast<unsigned>(std::countr_zero(ends)));
    }
  }
  taken_ = 0;
  found_ = static_cast<std::size_t>(out - ends_.data());
}

CsvRecords::CsvRecords(const std::string& path, CsvFormat format, StreamHash* hash)
    : CsvRecords(source_name(path), format, opened(path, format, hash), 1) {
  if (std::string_view(next_, static_cast<std::size_t>(end_ - next_)).starts_with("\xef\xbb\xbf")) next_ += 3;
  if (format_.lenient) look_at_beginning();
}

CsvRecords::CsvRecords(std::string file, CsvFormat format, std::unique_ptr<ByteSource> source, std::int64_t first_line)
    : file_(std::move(file)),
      format_(format),
      source_(std::move(source)),
      buffer_(new char[kFirstCapacity + kPadding]()),
      capacity_(kFirstCapacity),
      record_(buffer_.get()),
      next_(record_),
      end_(record_),
      line_(first_line - 1),
      ends_(format.separator) {
  fill();
}

CsvRecords::CsvRecords(std::string file, CsvFormat format, std::string_view lines, std::int64_t first_line)
    : file_(std::move(file)),
      format_(format),
      record_(lines.data()),
      next_(record_),
      end_(record_ + lines.size()),
      ended_(true),
      plain_(all_plain(record_, end_)),
      line_(first_line - 1),
      ends_(format.separator) {
  EQUIPOISE_ASSERT(lines.empty() || lines.back() == '\n');
  ends_.begin(record_, end_);
}

std::unique_ptr<ByteSource> CsvRecords::release(bool kept) {
  EQUIPOISE_ASSERT(source_ != nullptr);
  std::string bytes(kept ? record_ : next_, end_);
  record_ = next_ = end_;
  ended_ = true;
  return joined_source(std::move(bytes), std::move(source_));
}

void CsvRecords::finish() {
  if (!plain_) check_bytes(next_);
  if (quoted_) {
    join_doubled_quotes();
    breaks_ = std::count(record_, next_, '\n');
  }
}

void CsvRecords::more_fields(const char* at) {
  if (width_ == kMostFields) fail(at, fmt::format("more than {} fields", kMostFields));
  fields_.resize(std::max<std::size_t>(2 * width_, 8));
}

// Blank lines may only be at the end of the file. False at the end.
bool CsvRecords::skip_blank_lines_or_fill() {
  std::int64_t blank = 0;
  for (;; ++line_) {
    if (end_ - record_ < 2 && !ended_) fill();
    if (record_ == end_) return false;
    const bool crlf = *record_ == '\r' && end_ - record_ >= 2 && record_[1] == '\n';
    if (*record_ != '\n' && !crlf) break;
    if (blank == 0) blank = line_;
    record_ += crlf ? 2 : 1;
    next_ = record_;
    ends_.next();
    if (crlf) ends_.next();
  }
  if (blank != 0 && !format_.skip_blank) {
    throw DataError(Place{file_, blank, 0}, fmt::format("blank line; only the end of the file may have blank lines{}",
                                                        format_.lenient ? " (missing = drop skips them)" : ""));
  }
  return true;
}

// Finds the fields of the record; false if the buffer ends before it does.
bool CsvRecords::cut() {
  width_ = 0;
  quoted_ = false;
  for (const char* at = record_;; ++at) {
    if (width_ == fields_.size()) more_fields(at);
    CsvField& field = fields_[width_++];
    field.begin = at;
    if (format_.quotes && at < end_ && *at == '"') {
      quoted_ = true;
      const char* closed = cut_quoted(at, field);
      while (at < closed) at = ends_.next();
    } else {
      at = ends_.next();
      field.text = {field.begin, static_cast<std::size_t>(at - field.begin)};
    }
    if (at == end_) return false;
    if (*at == format_.separator) continue;
    if (*at == '\r') {
      if (++at == end_) return false;
      if (*at != '\n') fail(at - 1, "carriage return without a line feed; lines end in LF or CRLF");
      ends_.next();
    }
    next_ = at + 1;
    return true;
  }
}

// Gives the byte behind the closing quote, or the end of the buffer if that comes first.
const char* CsvRecords::cut_quoted(const char* open, CsvField& field) {
  const char* at = open + 1;
  for (;;) {
    at = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end_ - at)));
    if (at == nullptr && ended_) fail(open, "the quoted field that begins here is never closed");
    if (at == nullptr || at + 1 == end_) return end_;
    if (at[1] != '"') break;
    at += 2;
  }
  field.text = {open + 1, static_cast<std::size_t>(at - open - 1)};
  ++at;
  if (*at != format_.separator && *at != '\n' && *at != '\r') {
    fail(at, "text after a closing quote; expected a separator or the end of the line (a quote inside quotes is \"\")");
  }
  return at;
}

void CsvRecords::join_doubled_quotes() {
  scratch_.clear();
  scratch_.reserve(static_cast<std::size_t>(next_ - record_));  // the views must not move while it grows
  for (std::size_t c = 0; c < width_; ++c) {
    CsvField& field = fields_[c];
    if (*field.begin != '"' || field.text.find('"') == std::string_view::npos) continue;
    const std::size_t from = scratch_.size();
    for (std::size_t i = 0; i < field.text.size(); ++i) {
      scratch_ += field.text[i];
      if (field.text[i] == '"') ++i;
    }
    field.text = std::string_view(scratch_).substr(from);
  }
}

// Keeps the bytes from the record on and reads more behind them. Called when the record is not whole, which it is (or
// is refused) once the source has ended.
void CsvRecords::fill() {
  EQUIPOISE_ASSERT(!ended_);
  const auto kept = static_cast<std::size_t>(end_ - record_);
  if (kept == capacity_)
    grow();
  else
    std::memmove(buffer_.get(), record_, kept);
  std::size_t size = kept;
  while (size < capacity_ && !ended_) {
    const std::size_t count = source_->read(buffer_.get() + size, capacity_ - size);
    ended_ = count == 0;
    size += count;
  }
  // A last line without its end gets one (the padding has room), so that only one kind of end is left to look for.
  if (ended_ && size > 0 && buffer_[size - 1] != '\n') buffer_[size++] = '\n';
  record_ = next_ = buffer_.get();
  end_ = record_ + size;
  ends_.begin(record_, end_);
  plain_ = all_plain(record_, end_);
}

void CsvRecords::grow() {
  if (capacity_ >= kLongestRecord) {
    fail(record_, fmt::format("a record of more than {} MiB; is a quote not closed?", kLongestRecord >> 20));
  }
  const std::size_t wider = 2 * capacity_;
  std::unique_ptr<char[]> buffer(new char[wider + kPadding]());
  std::memcpy(buffer.get(), record_, capacity_);
  buffer_ = std::move(buffer);
  capacity_ = wider;
}

// Refuses NUL and bad UTF-8 from the beginning of the record to `end`.
void CsvRecords::check_bytes(const char* end) const {
  const std::string_view bytes(record_, static_cast<std::size_t>(end - record_));
  const std::size_t zero = bytes.find('\0'), bad = find_bad_utf8(bytes);
  if (zero < bad) {
    throw DataError(place_of(record_ + zero), fmt::format("NUL byte; expected text{}",
                                                          format_.lenient ? " (encoding = utf16 reads UTF-16)" : ""));
  }
  if (bad != std::string_view::npos) {
    throw DataError(place_of(record_ + bad),
                    fmt::format("byte 0x{:02x} is not valid UTF-8{}", static_cast<unsigned char>(bytes[bad]),
                                format_.lenient ? "; encoding = latin1 reads Latin-1" : ""));
  }
}

std::vector<Place> CsvRecords::places() const {
  std::vector<Place> places;
  places.reserve(width_);
  std::int64_t line = line_;
  const char* line_begin = record_;
  const char* at = record_;
  for (std::size_t c = 0; c < width_; ++c) {
    for (; at < fields_[c].begin; ++at) {
      if (*at != '\n') continue;
      ++line;
      line_begin = at + 1;
    }
    places.push_back({file_, line, fields_[c].begin - line_begin + 1});
  }
  return places;
}

Place CsvRecords::end_place() const {
  const char* at = next_ - 1;
  if (at > record_ && at[-1] == '\r') --at;
  return place_of(at);
}

Place CsvRecords::place_of(const char* at) const {
  const std::string_view before(record_, static_cast<std::size_t>(at - record_));
  const std::size_t break_at = before.rfind('\n');
  const std::size_t column = break_at == std::string_view::npos ? before.size() + 1 : before.size() - break_at;
  return {file_, line_ + std::count(before.begin(), before.end(), '\n'), static_cast<std::int64_t>(column)};
}

// Bytes that are no text at all are the better explanation of whatever else is wrong.
void CsvRecords::fail(const char* at, const std::string& what) const {
  if (!plain_) check_bytes(at);
  throw DataError(place_of(at), what);
}

}  // namespace equipoise
