// Large checksummed arrays: written once, read in parallel, and believed only if every byte is as it was.
#include "data/array_file.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>

#include "core/error.h"
#include "core/fuzzing.h"
#include "core/hash.h"

namespace equipoise {
namespace {

constexpr char kMagic[8] = {'e', 'q', 'u', 'i', 'c', 'a', '0', '2'};

struct Front {
  char magic[8];
  std::uint64_t arrays;  // how many
  std::uint64_t head;    // bytes
  std::uint64_t hash;    // of what follows but for the arrays: a line of the table for each, and the header
};
struct Line {
  std::uint64_t bytes, hash;
};

// The hash of an array is that of the hashes of its pieces: they are read and hashed on all threads, each while it is
// near its core.
constexpr std::uint64_t kArrayPiece = kFuzzing ? 64 : std::uint64_t{256} << 10;
using HashPiece = FunctionRef<std::uint64_t(std::size_t array, std::uint64_t at, std::size_t bytes)>;

template <class Array>
std::vector<std::uint64_t> hashes_of(const std::vector<Array>& arrays, Pool& pool, HashPiece hash_piece) {
  struct Piece {
    std::size_t array;
    std::uint64_t at;
  };
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    for (std::uint64_t at = 0; at < arrays[k].bytes; at += kArrayPiece) pieces.push_back({k, at});
  }
  std::vector<std::uint64_t> hashes(pieces.size());
  pool.run(pieces.size(), [&](std::size_t p) {
    const auto [k, at] = pieces[p];
    hashes[p] = hash_piece(k, at, std::min(kArrayPiece, arrays[k].bytes - at));
  });
  std::vector<std::uint64_t> out;
  const std::uint64_t* next = hashes.data();
  for (const Array& array : arrays) {
    const std::size_t count = chunks(array.bytes, kArrayPiece);
    out.push_back(hash_bytes(next, count * sizeof *next, array.bytes));
    next += count;
  }
  return out;
}

bool same(std::uint64_t hash, std::uint64_t written) { return kFuzzing || hash == written; }

std::string_view as_bytes(const void* data, std::size_t bytes) { return {static_cast<const char*>(data), bytes}; }

}  // namespace

void ArrayWriter::add(const void* data, std::size_t bytes) { arrays_.push_back({data, bytes}); }

void ArrayWriter::add(const std::vector<std::string>& texts) {
  auto& [bytes, lengths] = texts_.emplace_back();
  for (const std::string& text : texts) {
    bytes += text;
    lengths.push_back(static_cast<std::uint32_t>(text.size()));
  }
  add(bytes.data(), bytes.size());
  add(lengths);
}

void ArrayWriter::write(const std::string& path, const Json& head, Pool& pool) {
  const auto hashes = hashes_of(arrays_, pool, [&](std::size_t k, std::uint64_t at, std::size_t bytes) {
    return hash_bytes(static_cast<const char*>(arrays_[k].data) + at, bytes);
  });
  std::string rest;
  for (std::size_t k = 0; k < arrays_.size(); ++k) {
    const Line line{arrays_[k].bytes, hashes[k]};
    rest += as_bytes(&line, sizeof line);
  }
  const std::string text = head.dump();
  rest += text;
  Front front{{}, arrays_.size(), text.size(), hash64(rest)};
  std::memcpy(front.magic, kMagic, sizeof kMagic);
  AtomicFile file(path);
  file.write(as_bytes(&front, sizeof front));
  file.write(rest);
  for (const Array& array : arrays_) file.write(as_bytes(array.data, array.bytes));
  file.commit();
}

ArrayReader::ArrayReader(const std::string& path) : file_(path) {
  Front front{};
  if (file_.size() < sizeof front || !file_.read(reinterpret_cast<char*>(&front), sizeof front, 0)) return;
  if (std::memcmp(front.magic, kMagic, sizeof kMagic) != 0) return;
  std::uint64_t left = file_.size() - sizeof front;
  if (front.arrays > left / sizeof(Line)) return;
  const std::uint64_t table = front.arrays * sizeof(Line);
  if (front.head > left - table) return;
  std::string rest(table + front.head, '\0');
  if (!file_.read(rest.data(), rest.size(), sizeof front) || !same(hash64(rest), front.hash)) return;
  left -= rest.size();
  for (std::uint64_t k = 0; k < front.arrays; ++k) {
    Line line{};
    std::memcpy(&line, rest.data() + k * sizeof line, sizeof line);
    if (line.bytes > left) return;
    arrays_.push_back({file_.size() - left, line.bytes, line.hash});
    left -= line.bytes;
  }
  if (left != 0) return;
  try {
    head_ = parse_json(std::string_view(rest).substr(table), "cache");
    opened_ = true;
  } catch (const Error&) {  // not opened
  }
}

std::size_t ArrayReader::next_size() {
  whole_ = whole_ && places_.size() < arrays_.size();
  return whole_ ? arrays_[places_.size()].bytes : 0;
}

void ArrayReader::get(std::vector<std::string>& out) {
  Texts& texts = texts_.emplace_back();
  texts.out = &out;
  get(texts.bytes);
  get(texts.lengths);
}

bool ArrayReader::read(Pool& pool) {
  if (!whole_ || places_.size() != arrays_.size()) return false;
  std::vector<char*> out(places_.size());
  pool.run(places_.size(), [&](std::size_t k) { out[k] = places_[k](); });  // a page's first touch takes long
  std::atomic<bool> all_read = true;
  const auto hashes = hashes_of(arrays_, pool, [&](std::size_t k, std::uint64_t at, std::size_t bytes) {
    if (!file_.read(out[k] + at, bytes, arrays_[k].at + at)) all_read = false;
    return hash_bytes(out[k] + at, bytes);
  });
  for (std::size_t k = 0; k < arrays_.size(); ++k) all_read = all_read && same(hashes[k], arrays_[k].hash);
  if (!all_read) return false;
  for (const Texts& texts : texts_) {
    std::size_t at = 0;
    texts.out->reserve(texts.lengths.size());
    for (const std::uint32_t length : texts.lengths) {
      if (length > texts.bytes.size() - at) return false;
      texts.out->emplace_back(texts.bytes.data() + at, length);
      at += length;
    }
    if (at != texts.bytes.size()) return false;
  }
  return true;
}

}  // namespace equipoise
