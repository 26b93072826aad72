// Small data sets and scorers with known answers for the tests of this folder.
#pragma once

#include <functional>
#include <string>

#include "core/random.h"
#include "data/dataset.h"
#include "recommender/scorer.h"

namespace equipoise {

inline void add_row(Rows& rows, int user, int item, int label) {
  rows.user.push_back(user);
  rows.item.push_back(item);
  rows.label.push_back(static_cast<float>(label));
}

/// Users u0 … and items i0 …, no rows.
inline Dataset empty_data(int users, int items) {
  Dataset data;
  data.name = "toy";
  for (int u = 0; u < users; ++u) data.users.add("u" + std::to_string(u));
  for (int i = 0; i < items; ++i) data.items.add("i" + std::to_string(i));
  return data;
}

/// Each user's items shuffled: the first five in train, the next three in valid, the next `test` in test; labels are
/// coins.
inline Dataset coin_data(int users, int items, int test, std::uint64_t seed = 7) {
  Dataset data = empty_data(users, items);
  for (int u = 0; u < users; ++u) {
    Stream stream(seed, "toy", static_cast<std::uint64_t>(u));
    std::vector<int> order;
    for (int i = 0; i < items; ++i) order.push_back(i);
    stream.shuffle(std::span<int>(order));
    for (int p = 0; p < 8 + test; ++p) {
      Rows& rows = p < 5 ? data.train : p < 8 ? data.valid : data.test;
      add_row(rows, u, order[static_cast<std::size_t>(p)], static_cast<int>(stream.below(2)));
    }
  }
  return data;
}

class FunctionScorer : public Scorer {
 public:
  explicit FunctionScorer(std::function<double(int, int)> f) : f_(std::move(f)) {}
  void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
             std::span<float> out) const override {
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = static_cast<float>(f_(users[p], items[p]));
  }

 private:
  std::function<double(int, int)> f_;
};

inline FunctionScorer constant_scorer(double value = 0) {
  return FunctionScorer([value](int, int) { return value; });
}

/// Scores of few different values, so that ties abound.
inline FunctionScorer coarse_scorer(std::uint64_t seed, int levels = 4) {
  return FunctionScorer([=](int user, int item) {
    Stream stream(seed, "coarse", static_cast<std::uint64_t>(user), static_cast<std::uint64_t>(item));
    return (static_cast<double>(stream.below(static_cast<std::uint32_t>(levels))) - 1.5) / 2;
  });
}

}  // namespace equipoise
