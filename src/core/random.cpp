// Counter-based random streams on Philox 4×32.
#include "core/random.h"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/hash.h"

namespace equipoise {

Stream::Stream(std::uint64_t seed, std::string_view purpose, std::uint64_t a, std::uint64_t b) {
  // The key names seed and purpose, the counter the place (a, b) and the block within it.
  std::uint64_t key = hash64(purpose, seed);
  const std::array<std::uint64_t, 2> high = {a >> 32, b >> 32};  // what the counter has no room for
  if (high[0] != 0 || high[1] != 0) key = hash_bytes(high.data(), sizeof high, key);
  key_ = {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
  counter_ = {0, 0, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)};
}

void Stream::refill() {
  r123::Philox4x32::ctr_type counter{{counter_[0], counter_[1], counter_[2], counter_[3]}};
  r123::Philox4x32::key_type key{{key_[0], key_[1]}};
  const auto block = r123::Philox4x32{}(counter, key);
  for (unsigned k = 0; k < 4; ++k) block_[k] = block[k];
  if (++counter_[0] == 0) ++counter_[1];
  used_ = 0;
}

std::uint32_t Stream::next() {
  if (used_ == 4) refill();
  return block_[used_++];
}

double Stream::uniform() {
  const std::uint64_t high = next();
  const std::uint64_t low = next();
  return static_cast<double>(((high << 32) | low) >> 11) * 0x1.0p-53;
}

std::uint32_t Stream::below(std::uint32_t n) {
  EQUIPOISE_DEBUG_ASSERT(n > 0);
  std::uint64_t product = std::uint64_t{next()} * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t reject = (0U - n) % n;  // the part of the range that would favour small numbers
    while (static_cast<std::uint32_t>(product) < reject) product = std::uint64_t{next()} * n;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double Stream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

void Stream::skip_words(std::uint64_t count) {
  const std::uint64_t left = 4 - used_;
  if (count <= left) {
    used_ += static_cast<unsigned>(count);
    return;
  }
  count -= left;
  const std::uint64_t blocks = count / 4, at = ((std::uint64_t{counter_[1]} << 32) | counter_[0]) + blocks;
  counter_[0] = static_cast<std::uint32_t>(at), counter_[1] = static_cast<std::uint32_t>(at >> 32);
  used_ = 4;
  if (count % 4 == 0) return;
  refill();
  used_ = static_cast<unsigned>(count % 4);
}

// Two of them are made of four words.
void Stream::skip_normals(std::uint64_t count) {
  if (count > 0 && has_spare_) {
    has_spare_ = false;
    --count;
  }
  skip_words(count / 2 * 4);
  if (count % 2 == 1) normal();
}

}  // namespace equipoise
