// How a file of blocks is laid out, for who writes one and who reads one: its names, limits and the header's entries.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/blocks.h"

namespace equipoise {

inline constexpr std::size_t kLength = 8;
inline constexpr std::size_t kLongestHeader = std::size_t{64} << 20;
inline constexpr std::size_t kMostBlocks = 100000;
inline constexpr std::size_t kLongestName = 1000;  // bytes
inline constexpr std::size_t kMostSides = 8;
inline constexpr const char* kDigest = "digest";  // the last array: XXH3 of every byte before it
inline constexpr const char* kDigestType = "U64";
inline constexpr const char* kMetadata = "__metadata__";
inline constexpr const char* kChecksums = "checksums";

struct BlockType {
  Type type;
  const char* name;
  std::size_t size;
};
inline constexpr BlockType kTypes[] = {
    {Type::f32, "F32", 4}, {Type::f64, "F64", 8}, {Type::i32, "I32", 4}, {Type::i64, "I64", 8}, {Type::u8, "U8", 1}};

inline const BlockType& info(Type type) {
  for (const BlockType& t : kTypes) {
    if (t.type == type) return t;
  }
  throw std::logic_error("a type without a name");
}

inline Json shape_json(const std::vector<std::int64_t>& shape) {
  Json::Array out;
  for (const std::int64_t size : shape) out.emplace_back(size);
  return Json(std::move(out));
}

inline Json entry(const char* type, const std::vector<std::int64_t>& shape, std::size_t begin, std::size_t end) {
  return Json::object({{"dtype", type}, {"shape", shape_json(shape)}, {"data_offsets", Json::Array{begin, end}}});
}

inline std::string to_bytes(std::uint64_t value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace equipoise
