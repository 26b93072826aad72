// Numbers of ids by keys that are whole numbers: an id's text is made once, not for every row.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/hash.h"

namespace equipoise {

/// Small keys are looked up by themselves, others by a hash.
class KeyNumbers {
 public:
  /// For a column of so many rows.
  explicit KeyNumbers(std::size_t rows) : small_(std::bit_ceil(rows / 4 + 1), kNone), hashed_(1024) {}

  /// Writes the number of each key; number_of(k) is asked for those of keys[k] that are new.
  template <class F>
  void find_all(std::span<const std::uint64_t> keys, std::int32_t* out, F number_of) {
    constexpr std::size_t kAtOnce = 64;  // what so many need is fetched together
    for (std::size_t first = 0; first < keys.size(); first += kAtOnce) {
      const std::size_t end = first + kAtOnce < keys.size() ? first + kAtOnce : keys.size();
      for (std::size_t k = first; k < end; ++k) prefetch(keys[k]);
      for (std::size_t k = first; k < end; ++k) {
        std::int32_t& number = place(keys[k]);
        if (number == kNone) number = number_of(k);
        out[k] = number;
      }
    }
  }

 private:
  static constexpr std::int32_t kNone = -1;
  struct Slot {
    std::uint64_t key = 0;
    std::int32_t number = kNone;  // none: free
  };

  std::size_t slot(std::uint64_t key) const { return (key ^ secret_) * 0x9E3779B97F4A7C15U >> (64 - bits()); }
  int bits() const { return std::countr_zero(hashed_.size()); }
  void prefetch(std::uint64_t key) const {
    if (key < small_.size())
      __builtin_prefetch(&small_[key]);
    else
      __builtin_prefetch(&hashed_[slot(key)]);
  }
  std::int32_t& place(std::uint64_t key) {
    if (key < small_.size()) return small_[key];
    if (3 * in_hashed_ > 2 * hashed_.size()) grow();
    Slot& found = look_up(key);
    if (found.number == kNone) {
      ++in_hashed_;
      found.key = key;
    }
    return found.number;
  }
  Slot& look_up(std::uint64_t key) {
    for (std::size_t at = slot(key);; at = (at + 1) & (hashed_.size() - 1)) {
      if (hashed_[at].number == kNone || hashed_[at].key == key) return hashed_[at];
    }
  }
  void grow() {
    const std::vector<Slot> before = std::exchange(hashed_, std::vector<Slot>(2 * hashed_.size()));
    for (const Slot& one : before) {
      if (one.number != kNone) look_up(one.key) = one;
    }
  }

  std::uint64_t secret_ = process_secret()[0];
  std::vector<std::int32_t> small_;
  std::vector<Slot> hashed_;  // a power of two, at most two thirds full
  std::size_t in_hashed_ = 0;
};

}  // namespace equipoise
