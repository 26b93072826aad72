// Checksums and fingerprints by XXH3.
#include "core/hash.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <xxhash.h>

#include "core/stream_hash.h"

namespace equipoise {

std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(data, bytes, seed);
}

std::array<std::uint64_t, 2> hash128(const void* data, std::size_t bytes) {
  const XXH128_hash_t hash = XXH3_128bits(data, bytes);
  return {hash.low64, hash.high64};
}

const std::array<std::uint64_t, 2>& process_secret() {
  static const auto secret = [] {
    std::array<std::uint64_t, 2> drawn = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9};  // they do where there is no chance
    static_cast<void>(::getrandom(drawn.data(), sizeof drawn, GRND_NONBLOCK));
    return drawn;
  }();
  return secret;
}

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

void Fingerprint::add_bytes(const void* data, std::size_t bytes) {
  value_ = hash_bytes(data, bytes, value_ ^ (0x9E3779B97F4A7C15ULL * (bytes + 1)));
}

struct StreamHash::State {
  XXH3_state_t* xxh = XXH3_createState();
  ~State() { XXH3_freeState(xxh); }
};

StreamHash::StreamHash() : state_(std::make_unique<State>()) { XXH3_64bits_reset(state_->xxh); }
StreamHash::~StreamHash() = default;
void StreamHash::add(std::string_view bytes) { XXH3_64bits_update(state_->xxh, bytes.data(), bytes.size()); }
std::uint64_t StreamHash::value() const { return XXH3_64bits_digest(state_->xxh); }

}  // namespace equipoise
