// Groups of items, each kind from what is known before training.
#include "data/item_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace equipoise {

namespace {

// The tenth that each value is in by its rank, equal values by their place; −1 where it is missing.
std::vector<std::int32_t> tenths(std::span<const float> values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<std::int32_t> out(values.size(), -1);
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    out[order[rank]] = static_cast<std::int32_t>(rank * kTenths / order.size());
  }
  return out;
}

}  // namespace

std::span<const std::int32_t> Groups::of(std::int32_t item) const {
  const auto i = static_cast<std::size_t>(item);
  const auto first = static_cast<std::size_t>(offsets[i]), last = static_cast<std::size_t>(offsets[i + 1]);
  return std::span(codes).subspan(first, last - first);
}

Groups groups_of_items(std::size_t items) {
  std::vector<std::int32_t> numbers(items);
  std::iota(numbers.begin(), numbers.end(), 0);
  return groups_by_number(numbers, items);
}

std::size_t count_feature_groups(const Features& features) {
  std::size_t count = features.continuous.size() * kTenths;
  for (const CategoricalField& field : features.categorical) count += field.values.size();
  return count;
}

Groups groups_of_features(const Features& features, std::size_t items) {
  std::vector<std::vector<std::int32_t>> numbers;  // of each continuous field
  for (const ContinuousField& field : features.continuous) {
    numbers.push_back(tenths(std::span(field.values).first(items)));
  }
  Groups out;
  out.count = count_feature_groups(features);
  for (std::size_t i = 0; i < items; ++i) {
    std::int32_t first = 0;
    for (const CategoricalField& field : features.categorical) {
      for (auto k = field.offsets[i]; k < field.offsets[i + 1]; ++k) {
        out.codes.push_back(first + field.codes[static_cast<std::size_t>(k)]);
      }
      first += static_cast<std::int32_t>(field.values.size());
    }
    for (const std::vector<std::int32_t>& field : numbers) {
      if (field[i] >= 0) out.codes.push_back(first + field[i]);
      first += static_cast<std::int32_t>(kTenths);
    }
    out.offsets.push_back(static_cast<std::int32_t>(out.codes.size()));
  }
  return out;
}

Groups groups_of_popularity(const Rows& log, std::size_t items) {
  std::vector<float> rows(items, 0.0f);
  for (const std::int32_t item : log.item) rows[static_cast<std::size_t>(item)] += 1;
  for (float& count : rows) count = count > 0 ? count : std::nanf("");
  return groups_by_number(tenths(rows), kTenths);
}

Groups groups_by_number(std::span<const std::int32_t> numbers, std::size_t count) {
  Groups out;
  out.count = count;
  for (const std::int32_t number : numbers) {
    if (number >= 0) out.codes.push_back(number);
    out.offsets.push_back(static_cast<std::int32_t>(out.codes.size()));
  }
  return out;
}

}  // namespace equipoise
