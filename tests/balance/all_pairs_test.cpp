// The all-pairs objective: value and gradient against the literal double sum, for several feature maps.
#include "balance/all_pairs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "core/sums.h"

namespace equipoise {
namespace {

struct Sample {
  std::size_t items, width;
  std::vector<float> rows;
  std::vector<std::int32_t> item;
  Matrix matrix() { return {rows.data(), item.size(), width}; }
};

// Rows of users whose features depend on the item; item 3 never occurs and item 4 has one row.
Sample sample(std::size_t items, std::size_t width, std::size_t count, std::uint64_t seed) {
  Sample out{items, width, {}, {}};
  Stream stream(seed, "sample");
  for (std::size_t t = 0; t < count; ++t) {
    std::int32_t item = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(items)));
    if (t == 0)
      item = 4;
    else if (item == 3 || item == 4)
      item = 0;
    out.item.push_back(item);
    for (std::size_t k = 0; k < width; ++k) {
      out.rows.push_back(static_cast<float>(stream.normal() + 0.3 * item * static_cast<double>(k % 3)));
    }
  }
  return out;
}

// Σ_{i<i'} (p_i + p_i') ‖m_i − m_i'‖² ÷ (N − 1) over the items that occur.
double literal(const Sample& s) {
  std::vector<std::vector<double>> sums(s.items, std::vector<double>(s.width, 0.0));
  std::vector<double> counts(s.items, 0.0);
  for (std::size_t t = 0; t < s.item.size(); ++t) {
    const auto i = static_cast<std::size_t>(s.item[t]);
    counts[i] += 1;
    for (std::size_t k = 0; k < s.width; ++k) sums[i][k] += s.rows[t * s.width + k];
  }
  double total = 0, present = 0;
  for (std::size_t i = 0; i < s.items; ++i) {
    if (counts[i] == 0) continue;
    present += 1;
    for (std::size_t j = i + 1; j < s.items; ++j) {
      if (counts[j] == 0) continue;
      double squared = 0;
      for (std::size_t k = 0; k < s.width; ++k) squared += std::pow(sums[i][k] / counts[i] - sums[j][k] / counts[j], 2);
      total += (counts[i] + counts[j]) / static_cast<double>(s.item.size()) * squared;
    }
  }
  return total / (present - 1);
}

// Feature maps ψ, applied in place.
void map_linear(std::vector<float>&) {}
void map_squares(std::vector<float>& x) {
  for (float& v : x) v *= v;
}
void map_cosine(std::vector<float>& x) {
  for (float& v : x) v = std::cos(1.7f * v + 0.4f);
}

TEST(AllPairs, EqualsTheDoubleSumForSeveralFeatureMaps) {
  for (auto* map : {map_linear, map_squares, map_cosine}) {
    for (const std::size_t items : {5, 12, 40}) {
      Sample s = sample(items, 7, 300, items);
      map(s.rows);
      AllPairs all(s.items, s.width);
      all.add(s.matrix(), s.item);
      EXPECT_NEAR(all.value(), literal(s), 1e-5 * literal(s));
    }
  }
}

TEST(AllPairs, GradientEqualsThatOfTheDoubleSum) {
  Sample s = sample(9, 3, 60, 5);
  AllPairs all(s.items, s.width);
  all.add(s.matrix(), s.item);
  std::vector<float> g(s.items * s.width);
  all.gradient({g.data(), s.items, s.width});
  // The objective is quadratic: differences are exact up to rounding for any step.
  for (std::size_t t = 0; t < s.item.size(); ++t) {
    for (std::size_t k = 0; k < s.width; ++k) {
      float& x = s.rows[t * s.width + k];
      const float before = x;
      x = before + 0.5f;
      const double up = literal(s);
      x = before - 0.5f;
      const double down = literal(s);
      x = before;
      const double expected = up - down;
      EXPECT_NEAR(g[static_cast<std::size_t>(s.item[t]) * s.width + k], expected,
                  1e-5 * std::max(1e-2, std::abs(expected)));
    }
  }
}

TEST(AllPairs, RowsMayComeInParts) {
  Sample s = sample(9, 3, 60, 6);
  AllPairs whole(s.items, s.width), parts(s.items, s.width);
  whole.add(s.matrix(), s.item);
  parts.add({s.rows.data(), 25, 3}, std::span(s.item).first(25));
  parts.add({s.rows.data() + 75, 35, 3}, std::span(s.item).subspan(25));
  EXPECT_DOUBLE_EQ(whole.value(), parts.value());
}

// Rows of the second and third piece of a log count as those of the first do.
TEST(AllPairs, EqualsTheDoubleSumOverSeveralPieces) {
  Sample s = sample(9, 2, 2 * kLogPiece + 500, 7);
  AllPairs all(s.items, s.width);
  all.add(s.matrix(), s.item);
  EXPECT_NEAR(all.value(), literal(s), 1e-9 * literal(s));
}

TEST(AllPairs, EqualMeansCostNothing) {
  AllPairs all(3, 2);
  std::vector<float> rows = {1, 2, 1, 2, 1, 2, 1, 2};
  all.add({rows.data(), 4, 2}, std::vector<std::int32_t>{0, 1, 2, 0});
  EXPECT_NEAR(all.value(), 0, 1e-12);
}

}  // namespace
}  // namespace equipoise
