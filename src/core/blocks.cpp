// Named, checksummed arrays in the safetensors layout: putting them in, and reading that trusts nothing.
#include "core/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "core/block_layout.h"
#include "core/error.h"
#include "core/file.h"
#include "core/fuzzing.h"
#include "core/hash.h"
#include "core/quote.h"
#include "core/stream_hash.h"
#include "core/text.h"
#include "core/version.h"

namespace equipoise {

static_assert(std::endian::native == std::endian::little, "files are little-endian and arrays are copied as they are");

namespace {

std::uint64_t from_bytes(std::string_view bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// Reads one file's bytes; every claim of the header is checked before it is used.
class Parser {
 public:
  Parser(std::string_view bytes, const std::string& path, const std::string& what)
      : bytes_(bytes), path_(path), what_(what) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw CheckError(fmt::format("{}: not a whole {} file: {}", path_, what_, why));
  }

  // The header's text, after the checksum of the whole file has been found right.
  std::string_view header_text() const {
    if (bytes_.size() < 2 * kLength) refuse(fmt::format("it has only {} bytes", bytes_.size()));
    const std::uint64_t length = from_bytes(bytes_);
    if (length > kLongestHeader || length > bytes_.size() - 2 * kLength) refuse("its header does not fit into it");
    const std::string_view body = bytes_.substr(0, bytes_.size() - kLength);
    if (!kFuzzing && hash64(body) != from_bytes(bytes_.substr(body.size())))
      refuse("its checksum does not fit its content");
    return bytes_.substr(kLength, length);
  }

  std::string_view data(std::size_t header) const { return bytes_.substr(kLength + header); }

 private:
  std::string_view bytes_;
  const std::string& path_;
  const std::string& what_;
};

struct Entry {
  std::string name;
  Type type = Type::u8;
  std::vector<std::int64_t> shape;
  std::size_t begin = 0;
  std::size_t end = 0;
};

Entry read_entry(const std::string& name, const Json& value, std::size_t available, const Parser& parser) {
  Entry out;
  if (name.size() > kLongestName) parser.refuse("an array's name is too long");
  out.name = name;
  const std::string& dtype = value.at("dtype").as_string();
  const auto* type =
      std::find_if(std::begin(kTypes), std::end(kTypes), [&](const BlockType& t) { return dtype == t.name; });
  if (type == std::end(kTypes)) parser.refuse(fmt::format("array '{}' has the unknown type '{}'", name, dtype));
  out.type = type->type;
  std::uint64_t size = type->size;
  if (value.at("shape").as_array().size() > kMostSides) {
    parser.refuse(fmt::format("array '{}' has more than {} sides", name, kMostSides));
  }
  for (const Json& side : value.at("shape").as_array()) {
    out.shape.push_back(side.as_int());
    if (side.as_int() < 0 || __builtin_mul_overflow(size, static_cast<std::uint64_t>(side.as_int()), &size)) {
      parser.refuse(fmt::format("array '{}' has an impossible shape", name));
    }
  }
  const auto& offsets = value.at("data_offsets").as_array();
  if (offsets.size() != 2) parser.refuse(fmt::format("array '{}' has no place", name));
  const std::int64_t begin = offsets[0].as_int(), end = offsets[1].as_int();
  if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > available ||
      static_cast<std::uint64_t>(end - begin) != size) {
    parser.refuse(fmt::format("array '{}' does not fit its place", name));
  }
  out.begin = static_cast<std::size_t>(begin);
  out.end = static_cast<std::size_t>(end);
  return out;
}

// The arrays follow one another without gap or overlap and end where the digest begins.
void check_cover(std::vector<Entry>& entries, std::size_t available, const Parser& parser) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
  std::size_t at = 0;
  for (const Entry& e : entries) {
    if (e.begin != at) parser.refuse(fmt::format("array '{}' is not where the one before it ends", e.name));
    at = e.end;
  }
  if (at != available) parser.refuse("its arrays do not cover it");
}

// What is listed is what is there: every array once, and the digest where it was read.
std::vector<Entry> read_entries(const Json& header, std::size_t available, const Parser& parser) {
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.as_object()) {
    if (name != kMetadata && name != kDigest) entries.push_back(read_entry(name, value, available, parser));
  }
  const Json* digest = header.find(kDigest);
  if (digest == nullptr || *digest != entry(kDigestType, {1}, available, available + kLength)) {
    parser.refuse("its digest is not where it should be");
  }
  check_cover(entries, available, parser);
  return entries;
}

void check_content(const std::vector<Entry>& entries, const Json& checksums, std::string_view data,
                   const Parser& parser) {
  if (checksums.as_object().size() != entries.size()) parser.refuse("it has not one checksum for each array");
  std::unordered_map<std::string_view, const Json*> by_name;  // a file may list very many arrays
  for (const auto& [name, checksum] : checksums.as_object()) by_name[name] = &checksum;
  for (const Entry& e : entries) {
    const auto found = by_name.find(e.name);
    if (found == by_name.end()) parser.refuse(fmt::format("array '{}' has no checksum", e.name));
    if (!kFuzzing && found->second->as_string() != hex(hash64(data.substr(e.begin, e.end - e.begin)))) {
      parser.refuse(fmt::format("array '{}' does not fit its checksum", e.name));
    }
  }
}

}  // namespace

std::size_t size_of(Type type) { return info(type).size; }

const std::string& BlockFile::meta(const std::string& key) const {
  const auto found = meta_.find(key);
  if (found == meta_.end()) throw CheckError(fmt::format("the file lacks the entry '{}'", key));
  return found->second;
}

void BlockFile::set_format(const std::string& kind) {
  set_meta("format", kind);
  set_meta("format_version", std::to_string(kFormatVersion));
  set_meta("needs_reader", std::to_string(kFormatVersion));
  set_meta("program", fmt::format("equipoise {}", kVersion));
}

void BlockFile::check_format(const std::string& kind) const {
  if (!has_meta("format") || meta("format") != kind) throw CheckError("it is a file of another kind");
  meta("needs_reader");  // must be there
  if (const std::string why = newer(); !why.empty()) throw CheckError(why);
}

std::string BlockFile::newer() const {
  if (!has_meta("needs_reader")) return "";
  const auto needed = parse_int(meta("needs_reader"));
  if (!needed) return "it does not say which reader it needs";
  if (*needed <= kFormatVersion) return "";
  const std::string writer = has_meta("program") ? fmt::format(" ({} wrote it)", in_quotes(meta("program"))) : "";
  return fmt::format("it needs a reader of format {}{}, this program (equipoise {}) reads up to format {}", *needed,
                     writer, kVersion, kFormatVersion);
}

const BlockFile::Block& BlockFile::block(const std::string& name) const {
  const auto found = blocks_.find(name);
  if (found == blocks_.end()) throw CheckError(fmt::format("the file lacks the array '{}'", name));
  return found->second;
}

std::size_t BlockFile::Block::size() const {
  std::size_t out = size_of(type);
  for (const std::int64_t side : shape) out *= static_cast<std::size_t>(side);
  return out;
}

void BlockFile::add_source(const std::string& name, Type type, std::vector<std::int64_t> shape, Source source) {
  EQUIPOISE_ASSERT(name != kDigest && name != kMetadata && !blocks_.contains(name));
  blocks_[name] = {type, std::move(shape), {}, std::move(source)};
}

void BlockFile::settle() {
  for (auto& entry : blocks_) {
    Block& block = entry.second;
    if (!block.source) continue;
    block.source([&](std::string_view bytes) { block.bytes += bytes; });
    block.source = {};
  }
}

void BlockFile::add_bytes(const std::string& name, Type type, std::vector<std::int64_t> shape, const void* data,
                          std::size_t bytes) {
  std::size_t expected = size_of(type);
  for (const std::int64_t side : shape) expected *= static_cast<std::size_t>(side);
  EQUIPOISE_ASSERT(expected == bytes && name != kDigest && name != kMetadata && !blocks_.contains(name));
  Block& block = blocks_[name];
  block.type = type;
  block.shape = std::move(shape);
  if (bytes > 0) block.bytes.assign(static_cast<const char*>(data), bytes);
}

std::size_t BlockFile::checked_count(const std::string& name, Type type, std::int64_t count) const {
  const Block& b = block(name);
  EQUIPOISE_ASSERT(!b.source);
  const std::size_t have = b.bytes.size() / size_of(b.type);
  if (b.type != type || (count >= 0 && have != static_cast<std::size_t>(count))) {
    throw CheckError(fmt::format("array '{}' is not of the expected type or size", name));
  }
  return have;
}

void BlockFile::copy_bytes(const std::string& name, void* out) const {
  const Block& b = block(name);
  if (!b.bytes.empty()) std::memcpy(out, b.bytes.data(), b.bytes.size());
}

void BlockFile::add_texts(const std::string& name, const std::vector<std::string>& texts) {
  std::string bytes;
  std::vector<std::int64_t> offsets{0};
  for (const std::string& text : texts) {
    bytes += text;
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  add<char>(name, {static_cast<std::int64_t>(bytes.size())}, bytes);
  add<std::int64_t>(name + ".offsets", {static_cast<std::int64_t>(offsets.size())}, offsets);
}

std::vector<std::string> BlockFile::texts(const std::string& name) const {
  const auto bytes = values<char>(name);
  const auto offsets = values<std::int64_t>(name + ".offsets");
  const bool whole = !offsets.empty() && offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
                     offsets.back() == static_cast<std::int64_t>(bytes.size());
  if (!whole) throw CheckError(fmt::format("the texts '{}' are not whole", name));
  std::vector<std::string> out;
  out.reserve(offsets.size() - 1);
  for (std::size_t k = 1; k < offsets.size(); ++k) {
    out.emplace_back(bytes.data() + offsets[k - 1], static_cast<std::size_t>(offsets[k] - offsets[k - 1]));
  }
  return out;
}

BlockFile BlockFile::load(const std::string& path, const std::string& what) {
  return parse(read_file(path), path, what);
}

BlockFile BlockFile::parse(std::string_view bytes, const std::string& path, const std::string& what) {
  const Parser parser(bytes, path, what);
  const std::string_view text = parser.header_text();
  const std::string_view data = parser.data(text.size());
  BlockFile out;
  std::vector<Entry> entries;
  try {
    const Json header = parse_json(text, path);
    if (header.as_object().size() > kMostBlocks) parser.refuse("it lists too many arrays");
    Json checksums = Json::object();
    if (const Json* meta = header.find(kMetadata)) {
      for (const auto& [key, member] : meta->as_object()) {
        if (key == kChecksums)
          checksums = parse_json(member.as_string(), path);
        else
          out.meta_[key] = member.as_string();
      }
    }
    // Before the arrays: a newer file may have some that this reader cannot understand.
    if (const std::string newer = out.newer(); !newer.empty()) {
      throw CheckError(fmt::format("{}: cannot be used as a {}: {}", path, what, newer));
    }
    entries = read_entries(header, data.size() - kLength, parser);
    check_content(entries, checksums, data, parser);
  } catch (const DataError& error) {
    parser.refuse(error.what());
  }
  for (const Entry& e : entries) {
    out.blocks_[e.name] = {e.type, e.shape, std::string(data.substr(e.begin, e.end - e.begin))};
  }
  return out;
}

}  // namespace equipoise
