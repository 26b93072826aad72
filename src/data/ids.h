// Ids are texts outside and dense whole numbers inside; this maps between them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

class IdMap {
 public:
  IdMap() = default;
  /// DataError if an id stands twice.
  explicit IdMap(std::vector<std::string> names);

  /// Makes room for that many more ids.
  void reserve(std::size_t more);
  /// The number of the id, new ones at the end.
  std::int32_t add(std::string_view id);
  /// The same for many, appended to `numbers`: of a large map, what several need is fetched at once.
  void add_all(std::span<const std::string> ids, std::vector<std::int32_t>& numbers);
  /// The number of the id, or −1.
  std::int32_t find(std::string_view id) const;
  const std::string& name(std::int32_t number) const { return names_[static_cast<std::size_t>(number)]; }
  const std::vector<std::string>& names() const { return names_; }
  std::int32_t size() const { return static_cast<std::int32_t>(names_.size()); }

 private:
  // Open addressing: a slot holds half of the id's hash, so that most probes end without looking at a text.
  struct Slot {
    std::uint32_t tag = 0;
    std::int32_t number = -1;  // −1: free
  };
  std::int32_t add(std::string_view id, std::uint64_t hash);  // there is room
  std::size_t slot_of(std::string_view id, std::uint64_t hash) const;
  void make_room(std::size_t more);

  std::vector<std::string> names_;
  std::vector<Slot> slots_;  // a power of two, at most half full
  std::int32_t last_ = -1;   // what `add` answered last: many logs are sorted by user
};

}  // namespace equipoise
