// Finding where a share's first line begins, and reading up to that of the next one.
#include "data/text/file_share.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "core/error.h"

namespace equipoise {
namespace {

constexpr std::uint64_t kLeastShare = std::uint64_t{16} << 10;  // below it there is nothing to gain

// The beginning of the first line at `from` or behind it.
std::uint64_t line_from(const PlainFile& file, std::uint64_t from) {
  if (from == 0) return 0;
  std::array<char, 4096> buffer;
  for (std::uint64_t at = from - 1; at < file.size(); at += buffer.size()) {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), file.size() - at);
    if (!file.read(buffer.data(), count, at)) break;
    if (const void* end = std::memchr(buffer.data(), '\n', count)) {
      return at + static_cast<std::uint64_t>(static_cast<const char*>(end) - buffer.data()) + 1;
    }
  }
  return file.size();
}

class FileShare final : public ByteSource {
 public:
  FileShare(const std::string& path, int skip, bool quotes, const Ranks& ranks, ShareFacts& facts)
      : path_(path), file_(path), quotes_(quotes), facts_(facts) {
    std::uint64_t first = 0;
    for (int line = 0; line < skip; ++line) first = line_from(file_, first + 1);
    const Share own = share_of(static_cast<std::int64_t>(file_.size() - first), ranks);
    const auto cut = [&](std::int64_t at) {
      return at == 0 ? first : line_from(file_, first + static_cast<std::uint64_t>(at));
    };
    at_ = cut(own.begin);
    end_ = cut(own.end);
  }

  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = std::min<std::uint64_t>(size, end_ - at_);
    if (count == 0) return 0;
    if (!file_.read(out, count, at_)) throw DataError(Place{path_}, "cannot be read, or has changed");
    at_ += count;
    look_at({out, count});
    return count;
  }

 private:
  void look_at(std::string_view bytes) {
    facts_.irregular = facts_.irregular || (quotes_ && bytes.find('"') != std::string_view::npos);
    for (const char c : bytes) {
      facts_.irregular = facts_.irregular || (begins_ && (c == '\n' || c == '\r'));
      begins_ = c == '\n';
      facts_.lines += begins_ ? 1 : 0;
    }
  }

  std::string path_;
  PlainFile file_;
  bool quotes_;
  ShareFacts& facts_;
  std::uint64_t at_ = 0, end_ = 0;
  bool begins_ = true;  // the next byte is a line's first
};

}  // namespace

bool can_be_shared(const std::string& path, const Ranks& ranks) {
  const PlainFile file(path);
  std::array<char, 4> first{};
  if (!file.opened() || file.size() < kLeastShare * static_cast<std::uint64_t>(ranks.size())) return false;
  if (path.ends_with(".gz") || path.ends_with(".zst") || !file.read(first.data(), first.size(), 0)) return false;
  const std::string_view packed[] = {"\x1f\x8b", "\x28\xb5\x2f\xfd"};  // gzip and zstd, as byte_source tells them
  return std::none_of(std::begin(packed), std::end(packed),
                      [&](std::string_view bytes) { return std::string_view(first.data(), 4).starts_with(bytes); });
}

std::unique_ptr<ByteSource> share_of_file(const std::string& path, int skip, bool quotes, const Ranks& ranks,
                                          ShareFacts& facts) {
  return std::make_unique<FileShare>(path, skip, quotes, ranks, facts);
}

}  // namespace equipoise
