// Which items a list may hold, beside those that its user has had: candidates, exclusions, filters on features.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/features.h"

namespace equipoise {

/// All items at first; each call leaves fewer. Numbers below 0 mean unknown items and are passed over.
class Eligible {
 public:
  /// All items, however many there are.
  Eligible() = default;
  explicit Eligible(std::int32_t items) : items_(items) {}

  void keep_only(std::span<const std::int32_t> candidates);
  void leave_out(std::span<const std::int32_t> items);
  /// Keeps items that have one of the values in the field: of a categorical field or of tags the texts, of a continuous
  /// one the numbers. UsageError, with a suggestion, if there is no such field, or no item has such a value.
  void keep_where(const Features& features, const std::string& field, const std::vector<std::string>& values);

  bool all() const { return marks_.empty(); }
  bool has(std::int32_t item) const { return all() || marks_[static_cast<std::size_t>(item)] != 0; }
  /// The items that are left, ascending.
  std::vector<std::int32_t> items() const;
  std::size_t count() const;

 private:
  void begin();

  std::int32_t items_ = 0;
  std::vector<std::uint8_t> marks_;  // (items); empty = all
};

}  // namespace equipoise
