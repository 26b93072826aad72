// Checksums and fingerprints by XXH3.
#include "core/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace equipoise {

std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(data, bytes, seed);
}

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

void Fingerprint::add_bytes(const void* data, std::size_t bytes) {
  value_ = hash_bytes(data, bytes, value_ ^ (0x9E3779B97F4A7C15ULL * (bytes + 1)));
}

}  // namespace equipoise
