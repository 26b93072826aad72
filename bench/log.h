// What the benchmarks train on: a log of a given shape, drawn at random; speed does not ask what it means.
#pragma once

#include <string>

#include "core/random.h"
#include "data/dataset.h"

namespace equipoise::bench {

struct Shape {
  int users = 15400;
  int items = 1000;
  int rows = 311704;
};

inline constexpr Shape kLarge{.users = 1323884, .items = 61275, .rows = 2400000};  // Amazon's

/// Yahoo! R3's shape by default. Half of the rows show a popular item: item numbers are squares of uniform numbers.
inline Dataset random_log(const Shape& shape) {
  Dataset data;
  data.name = "random";
  for (int u = 0; u < shape.users; ++u) data.users.add("u" + std::to_string(u));
  for (int i = 0; i < shape.items; ++i) data.items.add("i" + std::to_string(i));
  Stream stream(1, "random log");
  for (int row = 0; row < shape.rows; ++row) {
    const double x = stream.uniform();
    data.train.user.push_back(static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(shape.users))));
    data.train.item.push_back(static_cast<std::int32_t>(x * x * shape.items));
    data.train.label.push_back(static_cast<float>(stream.below(2)));
  }
  return data;
}

}  // namespace equipoise::bench
