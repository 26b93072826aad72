// Large checksummed arrays: written once, read in parallel, and believed only if every byte is as it was.
#include "data/array_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string_view>

#include "core/file.h"
#include "core/hash.h"

namespace equipoise {
namespace {

constexpr char kMagic[8] = {'e', 'q', 'u', 'i', 'c', 'a', '0', '1'};
constexpr std::uint64_t kLongestHead = std::uint64_t{64} << 20;

struct Front {
  char magic[8];
  std::uint64_t length;  // of the header
  std::uint64_t hash;    // of the header
};

// The hash of hashes of pieces, so that one piece at a time is read and is hashed while it is in the cache.
constexpr std::size_t kPiece = std::size_t{1} << 20;
std::uint64_t hash_of(const char* data, std::size_t bytes) {
  std::uint64_t hash = bytes;
  for (std::size_t at = 0; at < bytes; at += kPiece) hash = hash_bytes(data + at, std::min(kPiece, bytes - at), hash);
  return hash;
}

bool read_exactly(int descriptor, char* out, std::size_t bytes, std::uint64_t at) {
  while (bytes > 0) {
    const ssize_t count = ::pread(descriptor, out, bytes, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    out += count, at += static_cast<std::uint64_t>(count), bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

std::string_view as_bytes(const void* data, std::size_t bytes) { return {static_cast<const char*>(data), bytes}; }

}  // namespace

void ArrayWriter::add(const void* data, std::size_t bytes) { arrays_.push_back({data, bytes}); }

void ArrayWriter::add_texts(const std::vector<std::string>& texts) {
  std::string& bytes = *texts_.emplace_back(std::make_unique<std::string>());
  std::string& lengths = *texts_.emplace_back(std::make_unique<std::string>());
  for (const std::string& text : texts) {
    bytes += text;
    const auto length = static_cast<std::uint32_t>(text.size());
    lengths.append(reinterpret_cast<const char*>(&length), sizeof length);
  }
  add(bytes.data(), bytes.size());
  add(lengths.data(), lengths.size());
}

void ArrayWriter::write(const std::string& path, const Json& head, Pool& pool) {
  std::vector<std::uint64_t> hashes(arrays_.size());
  pool.run(arrays_.size(),
           [&](std::size_t k) { hashes[k] = hash_of(static_cast<const char*>(arrays_[k].data), arrays_[k].bytes); });
  Json list = Json::array();
  for (std::size_t k = 0; k < arrays_.size(); ++k) {
    list.push_back(Json::object({{"bytes", static_cast<std::int64_t>(arrays_[k].bytes)}, {"hash", hex(hashes[k])}}));
  }
  const std::string text = Json::object({{"head", head}, {"arrays", list}}).dump();
  Front front{{}, text.size(), hash64(text)};
  std::memcpy(front.magic, kMagic, sizeof kMagic);
  AtomicFile file(path);
  file.write(as_bytes(&front, sizeof front));
  file.write(text);
  for (const Array& array : arrays_) {
    for (std::size_t at = 0; at < array.bytes; at += kPiece) {
      file.write(as_bytes(static_cast<const char*>(array.data) + at, std::min(kPiece, array.bytes - at)));
    }
  }
  file.commit();
}

ArrayReader::ArrayReader(const std::string& path) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return;
  Front front{};
  if (!read_exactly(descriptor_, reinterpret_cast<char*>(&front), sizeof front, 0)) return;
  if (std::memcmp(front.magic, kMagic, sizeof kMagic) != 0 || front.length > kLongestHead) return;
  std::string text(front.length, '\0');
  if (!read_exactly(descriptor_, text.data(), text.size(), sizeof front) || hash64(text) != front.hash) return;
  try {
    opened_ = parse(text, sizeof front + front.length, static_cast<std::uint64_t>(status.st_size));
  } catch (const std::exception&) {
    opened_ = false;
  }
}

ArrayReader::~ArrayReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ArrayReader::parse(const std::string& text, std::uint64_t from, std::uint64_t size) {
  const Json json = parse_json(text, "cache");
  head_ = json.at("head");
  for (const Json& array : json.at("arrays").as_array()) {
    const std::int64_t bytes = array.at("bytes").as_int();
    if (bytes < 0 || static_cast<std::uint64_t>(bytes) > size - from) return false;
    arrays_.push_back(
        {from, static_cast<std::uint64_t>(bytes), std::stoull(array.at("hash").as_string(), nullptr, 16)});
    from += static_cast<std::uint64_t>(bytes);
  }
  return from == size;
}

std::size_t ArrayReader::next_size() {
  whole_ = whole_ && places_.size() < arrays_.size();
  return whole_ ? arrays_[places_.size()].bytes : 0;
}

void ArrayReader::get_texts(std::vector<std::string>& out) {
  Texts& texts = *texts_.emplace_back(std::make_unique<Texts>());
  texts.out = &out;
  get(texts.bytes);
  get(texts.lengths);
}

bool ArrayReader::read_array(std::size_t k) const {
  const Array& array = arrays_[k];
  auto* out = static_cast<char*>(places_[k]);
  std::uint64_t hash = array.bytes;
  for (std::uint64_t at = 0; at < array.bytes; at += kPiece) {
    const std::size_t bytes = std::min<std::uint64_t>(kPiece, array.bytes - at);
    if (!read_exactly(descriptor_, out + at, bytes, array.at + at)) return false;
    hash = hash_bytes(out + at, bytes, hash);
  }
  return hash == array.hash;
}

bool ArrayReader::read(Pool& pool) {
  if (!whole_ || places_.size() != arrays_.size()) return false;
  std::vector<std::uint8_t> good(places_.size());
  pool.run(places_.size(), [&](std::size_t k) { good[k] = static_cast<std::uint8_t>(read_array(k)); });
  if (std::find(good.begin(), good.end(), 0) != good.end()) return false;
  for (const auto& texts : texts_) {
    std::size_t at = 0;
    texts->out->reserve(texts->lengths.size());
    for (const std::uint32_t length : texts->lengths) {
      if (length > texts->bytes.size() - at) return false;
      texts->out->emplace_back(texts->bytes.data() + at, length);
      at += length;
    }
    if (at != texts->bytes.size()) return false;
  }
  return true;
}

}  // namespace equipoise
