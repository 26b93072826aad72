// Decodes Latin-1 and UTF-16 block by block.
#include "data/text/encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/quote.h"

namespace equipoise {
namespace {

constexpr char kNoUtf8 = '\xff';

/// The letters of Windows-1252 from 0x80 to 0x9f; 0 = none.
constexpr std::array<std::uint16_t, 32> kWindows{0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                                 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,
                                                 0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                                 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

void append_utf8(std::string& out, std::uint32_t letter) {
  const auto more = [&](unsigned shift) { out += static_cast<char>(0x80 | ((letter >> shift) & 0x3f)); };
  if (letter < 0x80) {
    out += static_cast<char>(letter);
  } else if (letter < 0x800) {
    out += static_cast<char>(0xc0 | (letter >> 6)), more(0);
  } else if (letter < 0x10000) {
    out += static_cast<char>(0xe0 | (letter >> 12)), more(6), more(0);
  } else {
    out += static_cast<char>(0xf0 | (letter >> 18)), more(12), more(6), more(0);
  }
}

class DecodedSource : public ByteSource {
 public:
  DecodedSource(std::unique_ptr<ByteSource> source, Encoding encoding)
      : source_(std::move(source)), encoding_(encoding), block_(std::size_t{16} << 10) {}

  std::size_t read(char* out, std::size_t size) override {
    while (taken_ == ready_.size() && !ended_) refill();
    const std::size_t count = ready_.copy(out, size, taken_);
    taken_ += count;
    return count;
  }

 private:
  void refill() {
    ready_.clear();
    taken_ = 0;
    const std::size_t count = source_->read(block_.data(), block_.size());
    ended_ = count == 0;
    if (ended_ && (first_byte_ >= 0 || high_ != 0)) ready_ += kNoUtf8;  // half a letter
    for (std::size_t k = 0; k < count; ++k) {
      const auto byte = static_cast<unsigned char>(block_[k]);
      if (encoding_ == Encoding::latin1)
        add_latin1(byte);
      else
        add_byte(byte);
    }
  }
  void add_latin1(unsigned byte) {
    const unsigned letter = byte >= 0x80 && byte < 0xa0 ? kWindows[byte - 0x80] : byte;
    if (letter == 0 && byte != 0)
      ready_ += kNoUtf8;
    else
      append_utf8(ready_, letter);
  }
  void add_byte(unsigned byte) {
    if (first_byte_ < 0) {
      first_byte_ = static_cast<int>(byte);
      return;
    }
    const auto first = static_cast<unsigned>(first_byte_);
    first_byte_ = -1;
    const unsigned unit = big_endian_ ? first << 8 | byte : byte << 8 | first;
    if (begins_ && unit == 0xfffe) big_endian_ = true;
    const bool mark = begins_ && (unit == 0xfffe || unit == 0xfeff);
    begins_ = false;
    if (!mark) add_unit(unit);
  }
  void add_unit(unsigned unit) {
    const bool low = unit >= 0xdc00 && unit < 0xe000;
    if (low != (high_ != 0)) ready_ += kNoUtf8;  // half a pair
    if (low && high_ != 0) append_utf8(ready_, 0x10000 + ((high_ - 0xd800) << 10) + (unit - 0xdc00));
    high_ = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
    if (!low && high_ == 0) append_utf8(ready_, unit);
  }

  std::unique_ptr<ByteSource> source_;
  Encoding encoding_;
  std::vector<char> block_;
  std::string ready_;
  std::size_t taken_ = 0;
  bool ended_ = false;
  bool begins_ = true;  // a byte order mark may come
  bool big_endian_ = false;
  int first_byte_ = -1;  // of a unit whose second byte is still to come
  unsigned high_ = 0;    // of a pair whose second unit is still to come
};

}  // namespace

Encoding parse_encoding(std::string_view word) {
  if (word == "utf8") return Encoding::utf8;
  if (word == "latin1") return Encoding::latin1;
  if (word == "utf16") return Encoding::utf16;
  throw UsageError("encoding: " + in_quotes(word) + " is none of utf8, latin1, utf16");
}

std::unique_ptr<ByteSource> decoded_source(std::unique_ptr<ByteSource> source, Encoding encoding) {
  if (encoding == Encoding::utf8) return source;
  return std::make_unique<DecodedSource>(std::move(source), encoding);
}

}  // namespace equipoise
