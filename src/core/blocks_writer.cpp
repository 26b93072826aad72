// Writes files of blocks: the header with all checksums, then the arrays, each in memory or given piece by piece.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "core/block_layout.h"
#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/stream_hash.h"

namespace equipoise {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // written at once

using Blocks = std::map<std::string, BlockFile::Block>;

// Wider types first, so that every array begins at a multiple of its element.
std::vector<const Blocks::value_type*> in_order(const Blocks& blocks) {
  std::vector<const Blocks::value_type*> order;
  for (const auto& named : blocks) order.push_back(&named);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return size_of(a->second.type) > size_of(b->second.type); });
  return order;
}

// What is in memory is one piece.
void give(const BlockFile::Block& block, BlockFile::Sink sink) {
  if (block.source)
    block.source(sink);
  else
    sink(block.bytes);
}

std::uint64_t hash_of(const BlockFile::Block& block) {
  StreamHash hash;
  give(block, [&](std::string_view bytes) { hash.add(bytes); });
  return hash.value();
}

std::string header_of(const std::map<std::string, std::string>& texts, const Blocks& blocks) {
  const auto too_long = [](const auto& named) { return named.first.size() > kLongestName; };
  if (blocks.size() + 2 > kMostBlocks) throw Error(fmt::format("a file can hold no {} arrays", blocks.size()));
  if (std::any_of(blocks.begin(), blocks.end(), too_long)) throw Error("an array's name is too long for a file");
  Json meta = Json::object();
  for (const auto& [key, value] : texts) meta[key] = value;
  Json checksums = Json::object();
  for (const auto& [name, block] : blocks) checksums[name] = hex(hash_of(block));
  meta[kChecksums] = checksums.dump();
  Json header = Json::object({{kMetadata, meta}});
  std::size_t at = 0;
  for (const auto* named : in_order(blocks)) {
    const BlockFile::Block& block = named->second;
    header[named->first] = entry(info(block.type).name, block.shape, at, at + block.size());
    at += block.size();
  }
  header[kDigest] = entry(kDigestType, {1}, at, at + kLength);
  std::string text = header.dump();
  text.append((kLength - text.size() % kLength) % kLength, ' ');
  if (text.size() > kLongestHeader) throw Error(fmt::format("a file can have no header of {} bytes", text.size()));
  return text;
}

// Gives the file's bytes to `write`, piece by piece, so that a large file need not be held a second time.
template <class Write>
void write_pieces(const std::map<std::string, std::string>& texts, const Blocks& blocks, Write write) {
  StreamHash digest;
  const auto put = [&](std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) write(bytes.substr(at, kPiece));
    digest.add(bytes);
  };
  const std::string header = header_of(texts, blocks);
  put(to_bytes(header.size()));
  put(header);
  for (const auto* named : in_order(blocks)) give(named->second, put);
  write(to_bytes(digest.value()));
}

}  // namespace

std::string BlockFile::serialise() const {
  std::string out;
  write_pieces(meta_, blocks_, [&](std::string_view bytes) { out += bytes; });
  return out;
}

void BlockFile::save(const std::string& path) const {
  std::optional<AtomicFile> file;
  std::exception_ptr failed;
  // Others may be giving their part of the arrays, and are heard to the end.
  const auto unless_failed = [&](auto&& f) {
    if (failed) return;
    try {
      f();
    } catch (...) {
      failed = std::current_exception();
    }
  };
  unless_failed([&] { file.emplace(path); });
  write_pieces(meta_, blocks_, [&](std::string_view bytes) { unless_failed([&] { file->write(bytes); }); });
  unless_failed([&] { file->commit(); });
  if (failed) std::rethrow_exception(failed);
}

void BlockFile::take_part() const {
  const auto ask = [](const Block& block) {
    if (block.source) block.source([](std::string_view) {});
  };
  for (const auto& [name, block] : blocks_) ask(block);
  for (const auto* named : in_order(blocks_)) ask(named->second);
}

}  // namespace equipoise
