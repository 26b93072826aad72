// Checksums and fingerprints (XXH3), and how they are printed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace equipoise {

/// Not an overload of hash64: hash64("name", seed) must not take the seed for a length.
std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed = 0);
inline std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0) {
  return hash_bytes(text.data(), text.size(), seed);
}

/// Low and high half of a hash of 128 bits.
std::array<std::uint64_t, 2> hash128(const void* data, std::size_t bytes);

/// Random, and others in every process, for hash tables of what comes from outside: nobody can write an input whose
/// keys all meet in one place. No result may depend on them.
const std::array<std::uint64_t, 2>& process_secret();

/// 16 hexadecimal digits.
std::string hex(std::uint64_t value);

/// Hashes a sequence of arrays and texts, each with its length, so that no two different sequences look alike.
class Fingerprint {
 public:
  void add(std::string_view text) { add_bytes(text.data(), text.size()); }
  template <class T>
  void add(std::span<const T> values) {
    add_bytes(values.data(), values.size_bytes());
  }
  std::uint64_t value() const { return value_; }

 private:
  void add_bytes(const void* data, std::size_t bytes);
  std::uint64_t value_ = 0;
};

}  // namespace equipoise
