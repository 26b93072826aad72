// Small logs that tests share: hand-made rows, all kinds of features, and logs whose answer is known.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "data/dataset.h"

namespace equipoise::test {

inline void add_row(Rows& rows, std::int32_t user, std::int32_t item, bool label) {
  rows.user.push_back(user);
  rows.item.push_back(item);
  rows.label.push_back(label ? 1.0f : 0.0f);
}

inline Dataset empty_log(const std::string& name, int users, int items) {
  Dataset data;
  data.name = name;
  for (int u = 0; u < users; ++u) data.users.add("u" + std::to_string(u));
  for (int i = 0; i < items; ++i) data.items.add("i" + std::to_string(i));
  return data;
}

/// A field with one value a row, and every third row without.
inline CategoricalField some_categories(const std::string& name, std::int32_t rows) {
  CategoricalField field{name, false, {"red", "green"}, {0}, {}};
  for (std::int32_t r = 0; r < rows; ++r) {
    if (r % 3 != 0) field.codes.push_back(r % 2);
    field.offsets.push_back(static_cast<std::int32_t>(field.codes.size()));
  }
  return field;
}

/// A field with none, one or two values a row.
inline CategoricalField some_tags(const std::string& name, std::int32_t rows) {
  CategoricalField field{name, true, {"a", "b", "c"}, {0}, {}};
  for (std::int32_t r = 0; r < rows; ++r) {
    for (std::int32_t k = 0; k < r % 3; ++k) field.codes.push_back((r + k) % 3);
    field.offsets.push_back(static_cast<std::int32_t>(field.codes.size()));
  }
  return field;
}

/// Numbers of no order; every fifth is missing.
inline ContinuousField some_numbers(const std::string& name, std::int32_t rows) {
  ContinuousField field{name, {}};
  Stream stream(3, name);
  for (std::int32_t r = 0; r < rows; ++r) {
    field.values.push_back(r % 5 == 4 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(stream.normal()));
  }
  return field;
}

/// All kinds of features for users and items.
inline void add_features(Dataset& data) {
  const std::int32_t users = data.users.size(), items = data.items.size();
  data.user_features = {users,
                        {some_categories("colour", users), some_tags("likes", users)},
                        {some_numbers("age", users), some_numbers("income", users)}};
  data.item_features = {items, {some_tags("genre", items)}, {some_numbers("price", items)}};
}

/// What is known of it: an item of quality q is shown with odds e^q, and liked with logit 3q + 2·p_u·s_i, where p and s
/// are coins of ±1; valid and test show uniform items. The last user and the last item have no training rows.
inline Dataset known_log(int users = 120, int items = 20, int shown = 6, bool features = true,
                         std::uint64_t seed = 11) {
  Dataset data = empty_log("known answer", users, items);
  const auto coin = [&](const char* who, int e) {
    return Stream(seed, who, static_cast<std::uint64_t>(e)).below(2) == 0 ? -1.0 : 1.0;
  };
  const auto quality = [&](int i) { return Stream(seed, "quality", static_cast<std::uint64_t>(i)).normal(); };
  double best = 0;
  for (int i = 0; i < items; ++i) best = std::max(best, std::exp(quality(i)));
  for (int u = 0; u < users; ++u) {
    Stream stream(seed, "rows", static_cast<std::uint64_t>(u));
    std::vector<int> order(static_cast<std::size_t>(items));
    for (int i = 0; i < items; ++i) order[static_cast<std::size_t>(i)] = i;
    stream.shuffle(std::span<int>(order));
    int train = 0, place = 0;
    for (const int i : order) {
      const double logit = 3 * quality(i) + 2 * coin("p", u) * coin("s", i);
      const bool liked = stream.uniform() < 1 / (1 + std::exp(-logit));
      const bool biased = stream.uniform() < std::exp(quality(i)) / best;
      const bool cold = u == users - 1 || i == items - 1;
      if (++place <= 5)
        add_row(place <= 2 ? data.valid : data.test, u, i, liked);
      else if (!cold && train < shown && biased) {
        add_row(data.train, u, i, liked);
        ++train;
      }
    }
  }
  if (features) add_features(data);
  return data;
}

/// The same log with its positive rows only, as a log of clicks; valid and test keep both labels.
inline Dataset positives_of(Dataset data) {
  std::vector<std::size_t> liked;
  for (std::size_t t = 0; t < data.train.size(); ++t) {
    if (data.train.label[t] > 0) liked.push_back(t);
  }
  data.train = data.train.select(liked);
  data.positives_only = true;
  return data;
}

/// Every pair shown, `times` times; labels are coins. Nothing is hidden, so every method can fit it whole, also those
/// whose first epochs only prepare. Valid is train again.
inline Dataset whole_log(int users = 8, int items = 6, int times = 60) {
  Dataset data = empty_log("whole", users, items);
  for (int row = 0; row < users * items * times; ++row) {
    const int u = row / items % users, i = row % items;
    Stream stream(5, "coins", static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(i));
    add_row(data.train, u, i, stream.below(2) == 1);
  }
  data.valid = data.train;
  return data;
}

}  // namespace equipoise::test
