// Marks of the items that a list may hold.
#include "recommender/eligible.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"

namespace equipoise {

namespace {

// Marks the items whose value of a categorical field is one of `values`.
std::vector<std::uint8_t> marks_of(const CategoricalField& field, const std::vector<std::string>& values) {
  std::vector<std::uint8_t> wanted(field.values.size(), 0), marks(field.offsets.size() - 1, 0);
  for (const std::string& value : values) {
    const auto found = std::find(field.values.begin(), field.values.end(), value);
    if (found == field.values.end()) {
      throw UsageError(
          fmt::format("filter: no item has {} = {}{}", field.name, in_quotes(value), suggest(value, field.values)));
    }
    wanted[static_cast<std::size_t>(found - field.values.begin())] = 1;
  }
  for (std::size_t item = 0; item < marks.size(); ++item) {
    for (std::int32_t k = field.offsets[item]; k < field.offsets[item + 1]; ++k) {
      marks[item] |= wanted[static_cast<std::size_t>(field.codes[static_cast<std::size_t>(k)])];
    }
  }
  return marks;
}

std::vector<std::uint8_t> marks_of(const ContinuousField& field, const std::vector<std::string>& values) {
  std::vector<std::uint8_t> marks(field.values.size(), 0);
  for (const std::string& value : values) {
    const auto number = parse_double(value);
    if (!number) throw UsageError(fmt::format("filter: {} is a number, got {}", field.name, in_quotes(value)));
    for (std::size_t item = 0; item < marks.size(); ++item) {
      marks[item] |= field.values[item] == static_cast<float>(*number) ? 1 : 0;
    }
  }
  return marks;
}

}  // namespace

void Eligible::begin() {
  if (marks_.empty()) marks_.assign(static_cast<std::size_t>(items_), 1);
}

void Eligible::keep_only(std::span<const std::int32_t> candidates) {
  begin();
  std::vector<std::uint8_t> kept(marks_.size(), 0);
  for (const std::int32_t item : candidates) {
    if (item >= 0) kept[static_cast<std::size_t>(item)] = marks_[static_cast<std::size_t>(item)];
  }
  marks_ = std::move(kept);
}

void Eligible::leave_out(std::span<const std::int32_t> items) {
  begin();
  for (const std::int32_t item : items) {
    if (item >= 0) marks_[static_cast<std::size_t>(item)] = 0;
  }
}

void Eligible::keep_where(const Features& features, const std::string& field, const std::vector<std::string>& values) {
  std::vector<std::string> known;
  const auto keep = [&](const auto& fields) {
    for (const auto& one : fields) {
      known.push_back(one.name);
      if (one.name != field) continue;
      const std::vector<std::uint8_t> marks = marks_of(one, values);
      begin();
      for (std::size_t item = 0; item < marks_.size(); ++item) marks_[item] &= marks[item];
      return true;
    }
    return false;
  };
  if (keep(features.categorical) || keep(features.continuous)) return;
  if (known.empty()) throw UsageError(fmt::format("filter: the model has no item features (got {})", in_quotes(field)));
  throw UsageError(fmt::format("filter: items have no feature {}{}", in_quotes(field), suggest(field, known)));
}

std::vector<std::int32_t> Eligible::items() const {
  std::vector<std::int32_t> out;
  for (std::int32_t item = 0; item < items_; ++item) {
    if (has(item)) out.push_back(item);
  }
  return out;
}

std::size_t Eligible::count() const {
  return all() ? static_cast<std::size_t>(items_)
               : static_cast<std::size_t>(std::count(marks_.begin(), marks_.end(), std::uint8_t{1}));
}

}  // namespace equipoise
