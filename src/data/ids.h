// Ids are texts outside and dense whole numbers inside; this maps between them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/digits.h"
#include "core/hash.h"
#include "core/ranks.h"

namespace equipoise {

/// An id as numbers that are compared at once: its bytes where they are at most 16, else its hash.
struct IdKey {
  explicit IdKey(std::string_view id) : size(static_cast<std::uint32_t>(id.size())) {
    if (id.size() > sizeof words)
      shorten(id);
    else if (size > 8)
      words[0] = load_bytes(id.data(), 8), words[1] = load_bytes(id.data() + 8, size - 8);
    else if (size > 0)
      words[0] = load_bytes(id.data(), size);
  }
  IdKey() = default;
  bool operator==(const IdKey&) const = default;
  bool whole() const { return size <= sizeof words; }
  std::uint64_t hash(const std::array<std::uint64_t, 2>& secret) const {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(words[0] ^ secret[0]) * (words[1] ^ size ^ secret[1]);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  std::uint64_t words[2] = {0, 0};
  std::uint32_t size = 0;  // of the id, in bytes

 private:
  void shorten(std::string_view id);
};

/// Ids one after another, still without numbers.
class IdTexts {
 public:
  void clear() {
    keys_.clear();
    long_ones_.clear();
  }
  void push_back(std::string_view id) {
    if (!keys_.emplace_back(id).whole()) long_ones_ += id;
  }
  std::size_t size() const { return keys_.size(); }
  const IdKey& key(std::size_t k) const { return keys_[k]; }
  /// Of all that are not whole in their keys, in their order.
  const std::string& long_ones() const { return long_ones_; }

 private:
  std::vector<IdKey> keys_;
  std::string long_ones_;
};

class IdMap {
 public:
  IdMap() = default;
  /// DataError if an id occurs twice.
  explicit IdMap(std::vector<std::string> names);

  /// The number of the id, new ones at the end.
  std::int32_t add(std::string_view id);
  /// Adds many; their numbers are appended to `numbers`: of a large map, what several need is fetched at once.
  void add_all(const IdTexts& ids, std::vector<std::int32_t>& numbers);
  /// The number of the id, or −1.
  std::int32_t find(std::string_view id) const;
  const std::string& name(std::int32_t number) const {
    return has_all() ? names_[static_cast<std::size_t>(number)] : name_of_share(number);
  }
  /// All of them, or those of the share that is kept.
  const std::vector<std::string>& names() const { return names_; }
  std::int32_t size() const { return has_all() ? static_cast<std::int32_t>(names_.size()) : size_; }
  /// From now on only the names of this share are here, which may be empty: no id is found, and none can be added.
  void keep(const Share& own);
  bool has_all() const { return size_ < 0; }
  /// Of the tables, beside the names.
  std::size_t table_bytes() const { return counted_.size() * sizeof(std::int32_t) + hashed_.size() * sizeof(Slot); }

 private:
  /// Ids that are the same letters and then a whole number, such as "u17"; the letters may be none.
  class CountedIds {
   public:
    CountedIds() = default;
    /// Those with the letters of this one.
    explicit CountedIds(const IdKey& first);
    /// The number in an id, of up to eight digits and without zeros before it, or kNoNumber.
    inline std::uint64_t number(const IdKey& key) const;

   private:
    std::uint32_t size_ = 0;  // of the letters
    std::uint64_t letters_ = 0, mask_ = 0;
  };
  // Open addressing, with the ids themselves in the slots: a look at a large table is one look at memory.
  struct Slot : IdKey {
    std::int32_t number = -1;  // −1: free
  };

  // What is inline is defined in ids.cpp, which alone calls it.
  /// Where to look for an id: below the size of `counted_` its place there, else the first one in `hashed_` behind it.
  inline std::size_t place_of(const IdKey& key) const;
  /// Always part of its caller: a call of it would have no effect that the compiler sees, and be left out.
  [[gnu::always_inline]] inline void prefetch(std::size_t place) const;
  template <class KeyOf, class Then>
  void for_each_place(std::size_t count, KeyOf key_of, Then then) const;
  std::size_t slot_of(std::size_t place, const IdKey& key, std::string_view id) const;
  inline std::int32_t& number_at(std::size_t place, const IdKey& key, std::string_view id);
  inline std::int32_t add(std::size_t place, const IdKey& key, std::string_view id);
  void make_room(std::size_t more);
  void rebuild(std::size_t more);

  std::array<std::uint64_t, 2> secret_ = process_secret();
  const std::string& name_of_share(std::int32_t number) const;

  std::vector<std::string> names_;
  std::int32_t size_ = -1;  // of all, where only a share is here
  std::int32_t first_ = 0;  // the number of the first name that is here
  // Most logs count their users and items: an id is a whole number, or one behind some letters that are those of the
  // first id. Those that are small beside the number of ids are looked up by it, in a table that fits into a cache.
  CountedIds counting_;
  std::vector<std::int32_t> counted_;
  std::vector<Slot> hashed_;  // the others; a power of two, at most two thirds full
  std::size_t in_hashed_ = 0;
  std::size_t room_ = 0;  // names that `counted_` is wide enough for
};

}  // namespace equipoise
