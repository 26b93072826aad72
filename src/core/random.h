// Counter-based random streams, named by what they are for, so that a draw depends on nothing but its name.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace equipoise {

/// A stream is named by (seed, purpose, a, b), for instance (seed, "drawn pairs", epoch, batch).
/// Two streams of different names are independent; the same name gives the same numbers for ever.
class Stream {
 public:
  Stream(std::uint64_t seed, std::string_view purpose, std::uint64_t a = 0, std::uint64_t b = 0);

  std::uint32_t next();
  /// In [0, 1), 24 bits (float) or 53 bits (double).
  float uniform_float() { return static_cast<float>(next() >> 8) * 0x1.0p-24f; }
  double uniform();
  /// Uniform on 0 … n−1, without bias; n ≥ 1.
  std::uint32_t below(std::uint32_t n);
  /// Standard normal.
  double normal();
  /// As if `normal` had been called so many times, in no time.
  void skip_normals(std::uint64_t count);

  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[below(static_cast<std::uint32_t>(i))]);
    }
  }

 private:
  void refill();
  void skip_words(std::uint64_t count);

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  unsigned used_ = 4;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

}  // namespace equipoise
