// Short texts as words: their bytes are loaded, and their digits read, all at once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace equipoise {

static_assert(std::endian::native == std::endian::little);  // the first byte of a text is the lowest of its word

/// 1 to 8 bytes, without a loop: the two halves may overlap.
inline std::uint64_t load_bytes(const char* at, std::size_t size) {
  const auto load = [at]<class T>(T value, std::size_t from) -> std::uint64_t {
    std::memcpy(&value, at + from, sizeof value);
    return value;
  };
  const std::size_t bits = 8 * size;
  if (size == 8) return load(std::uint64_t{}, 0);
  if (size >= 4) return load(std::uint32_t{}, 0) | load(std::uint32_t{}, size - 4) << (bits - 32);
  if (size >= 2) return load(std::uint16_t{}, 0) | load(std::uint16_t{}, size - 2) << (bits - 16);
  return load(std::uint8_t{}, 0);
}

/// Instead of a number, where there is none. (An optional would go through memory, in hot loops.)
constexpr std::uint64_t kNoNumber = ~std::uint64_t{0};

/// The number that 1 to 8 digits are, zeros before it or not; kNoNumber if they are no digits.
inline std::uint64_t read_digits(std::uint64_t bytes, std::size_t size) {
  constexpr std::uint64_t kZeros = 0x3030303030303030;
  bytes <<= 64 - 8 * size;
  if (size < 8) bytes |= kZeros >> 8 * size;
  const std::uint64_t below = bytes - kZeros, above = bytes + 0x4646464646464646;
  if (((below | above) & 0x8080808080808080) != 0) return kNoNumber;
  std::uint64_t x = (below * 10 + (below >> 8)) & 0x00ff00ff00ff00ff;  // pairs
  x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;                      // fours
  return (x * 10000 + (x >> 32)) & 0xffffffff;
}

/// The number that a text spells, if it is 1 to 16 digits.
inline std::uint64_t read_digits(std::string_view text) {
  constexpr std::size_t kTwice = 16;
  if (text.empty() || text.size() > kTwice) return kNoNumber;
  const std::size_t tail = std::min<std::size_t>(text.size(), 8), head = text.size() - tail;
  const std::uint64_t low = read_digits(load_bytes(text.data() + head, tail), tail);
  if (head == 0 || low == kNoNumber) return low;
  const std::uint64_t high = read_digits(load_bytes(text.data(), head), head);
  return high == kNoNumber ? high : 100000000 * high + low;
}

}  // namespace equipoise
