// Ids are texts outside and dense whole numbers inside; this maps between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace equipoise {

class IdMap {
 public:
  IdMap() = default;
  /// DataError if an id stands twice.
  explicit IdMap(std::vector<std::string> names);

  /// The number of the id, new ones at the end.
  std::int32_t add(std::string_view id);
  /// The number of the id, or −1.
  std::int32_t find(std::string_view id) const;
  const std::string& name(std::int32_t number) const { return names_[static_cast<std::size_t>(number)]; }
  const std::vector<std::string>& names() const { return names_; }
  std::int32_t size() const { return static_cast<std::int32_t>(names_.size()); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> numbers_;
};

}  // namespace equipoise
