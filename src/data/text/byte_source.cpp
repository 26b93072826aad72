// Bytes of an input: opening, telling compressed streams by their first bytes, and unpacking them.
#include "data/text/byte_source.h"

#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/fuzzing.h"

namespace equipoise {
namespace {

constexpr std::size_t kBlock = kFuzzing ? 64 : std::size_t{256} << 10;

/// A file read in order, whose first bytes can be looked at before.
class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path)
      : name_(source_name(path)), file_(path == "-" ? InputFile(STDIN_FILENO, name_) : InputFile(path)) {}

  std::size_t read(char* out, std::size_t size) override {
    if (ahead_.empty()) return file_.read(out, size);
    const std::size_t count = std::min(size, ahead_.size());
    std::memcpy(out, ahead_.data(), count);
    ahead_.erase(0, count);
    return count;
  }

  /// The first bytes (fewer at the end of the input); they are still to be read.
  std::string_view peek(std::size_t size) {
    while (ahead_.size() < size) {
      char bytes[16];
      const std::size_t count = file_.read(bytes, std::min(sizeof bytes, size - ahead_.size()));
      if (count == 0) break;
      ahead_.append(bytes, count);
    }
    return ahead_;
  }

  [[noreturn]] void fail(const std::string& what) const { throw DataError(Place{name_}, what); }

 private:
  std::string name_;
  InputFile file_;
  std::string ahead_;
};

/// What gzip and zstd share: packed bytes come in blocks, and the input may only end where a stream ends.
class PackedSource : public ByteSource {
 public:
  explicit PackedSource(std::unique_ptr<FileSource> file) : file_(std::move(file)), block_(kBlock) {}

 protected:
  /// True if there are packed bytes to work on.
  bool refill() {
    if (at_ < size_) return true;
    at_ = 0;
    size_ = file_->read(block_.data(), block_.size());
    return size_ > 0;
  }

  std::unique_ptr<FileSource> file_;
  std::vector<char> block_;
  std::size_t at_ = 0;
  std::size_t size_ = 0;
};

/// One or more gzip members, one after another.
class GzipSource : public PackedSource {
 public:
  explicit GzipSource(std::unique_ptr<FileSource> file) : PackedSource(std::move(file)) {
    constexpr int kGzipOnly = 15 + 16;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw Error("zlib: cannot begin");
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* out, std::size_t size) override {
    const uInt wanted = static_cast<uInt>(std::min(size, kBlock));
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = wanted;
    while (stream_.avail_out == wanted) {
      if (!refill()) {
        if (!between_) file_->fail("the gzip stream is cut short");
        return 0;
      }
      if (between_) inflateReset(&stream_);
      between_ = false;
      stream_.next_in = reinterpret_cast<Bytef*>(block_.data() + at_);
      stream_.avail_in = static_cast<uInt>(size_ - at_);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      at_ = size_ - stream_.avail_in;
      if (status == Z_STREAM_END)
        between_ = true;
      else if (status != Z_OK)
        file_->fail("the gzip stream is corrupt");
    }
    return wanted - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool between_ = true;  // no member is under way
};

/// One or more zstd frames, one after another.
class ZstdSource : public PackedSource {
 public:
  explicit ZstdSource(std::unique_ptr<FileSource> file)
      : PackedSource(std::move(file)), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (!stream_) throw Error("zstd: cannot begin");
  }

  std::size_t read(char* out, std::size_t size) override {
    ZSTD_outBuffer output{out, size, 0};
    while (output.pos == 0) {
      // A frame may still hold unpacked bytes when its packed ones are used up, so the end is only known by `left_`.
      const bool more = refill();
      if (!more && left_ == 0) return 0;
      ZSTD_inBuffer input{block_.data(), size_, at_};
      left_ = ZSTD_decompressStream(stream_.get(), &output, &input);
      if (ZSTD_isError(left_)) file_->fail("the zstd stream is corrupt");
      at_ = input.pos;
      if (!more && output.pos == 0) file_->fail("the zstd stream is cut short");
    }
    return output.pos;
  }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  std::size_t left_ = 0;  // 0 between frames
};

class JoinedSource : public ByteSource {
 public:
  JoinedSource(std::string first, std::unique_ptr<ByteSource> then)
      : bytes_(std::move(first)), first_(bytes_), then_(std::move(then)) {}
  std::size_t read(char* out, std::size_t size) override {
    if (first_.empty()) return then_->read(out, size);
    const std::size_t count = first_.copy(out, size);
    first_.remove_prefix(count);
    return count;
  }

 private:
  std::string bytes_;
  std::string_view first_;  // what has not been read of them
  std::unique_ptr<ByteSource> then_;
};

class HashedSource : public ByteSource {
 public:
  HashedSource(std::unique_ptr<ByteSource> source, StreamHash& hash) : source_(std::move(source)), hash_(hash) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = source_->read(out, size);
    hash_.add({out, count});
    return count;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  StreamHash& hash_;
};

}  // namespace

std::unique_ptr<ByteSource> hashed_source(std::unique_ptr<ByteSource> source, StreamHash& hash) {
  return std::make_unique<HashedSource>(std::move(source), hash);
}

std::unique_ptr<ByteSource> joined_source(std::string first, std::unique_ptr<ByteSource> then) {
  return std::make_unique<JoinedSource>(std::move(first), std::move(then));
}

std::string source_name(const std::string& path) { return path == "-" ? "stdin" : path; }

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  constexpr std::string_view kGzip("\x1f\x8b", 2);
  constexpr std::string_view kZstd("\x28\xb5\x2f\xfd", 4);
  auto file = std::make_unique<FileSource>(path);
  const std::string_view first = file->peek(kZstd.size());
  if (first.starts_with(kGzip)) return std::make_unique<GzipSource>(std::move(file));
  if (first.starts_with(kZstd)) return std::make_unique<ZstdSource>(std::move(file));
  if (path.ends_with(".gz")) file->fail("is not gzip, though its name ends in .gz");
  if (path.ends_with(".zst")) file->fail("is not zstd, though its name ends in .zst");
  return file;
}

}  // namespace equipoise
