// The distances: values against plain loops and sorting, gradients against central differences.
#include "balance/distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/named.h"
#include "core/random.h"

namespace equipoise {
namespace {

std::vector<float> normal_rows(std::size_t n, std::size_t d, double shift, std::uint64_t seed) {
  Stream stream(seed, "rows");
  std::vector<float> out(n * d);
  for (float& v : out) v = static_cast<float>(shift + stream.normal());
  return out;
}

Matrix view(std::vector<float>& rows, std::size_t d) { return {rows.data(), rows.size() / d, d}; }

double squared(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
  double out = 0;
  for (std::size_t k = 0; k < a.cols; ++k) out += std::pow(static_cast<double>(a.row(i)[k]) - b.row(j)[k], 2);
  return out;
}

TEST(Distance, LinearMmdEqualsTheDistanceOfMeans) {
  std::vector<float> a = normal_rows(7, 3, 0, 1), b = normal_rows(5, 3, 0.5, 2);
  double expected = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double ma = 0, mb = 0;
    for (std::size_t r = 0; r < 7; ++r) ma += a[r * 3 + k] / 7.0;
    for (std::size_t r = 0; r < 5; ++r) mb += b[r * 3 + k] / 5.0;
    expected += (ma - mb) * (ma - mb);
  }
  EXPECT_NEAR(linear_mmd(view(a, 3), view(b, 3), 1, {}, {}), expected, 1e-9);
}

TEST(Distance, RbfMmdEqualsPlainLoops) {
  std::vector<float> av = normal_rows(6, 2, 0, 3), bv = normal_rows(9, 2, 1, 4);
  const Matrix a = view(av, 2), b = view(bv, 2);
  std::vector<double> all;
  const auto at = [&](std::size_t r) { return r < 6 ? std::pair(a, r) : std::pair(b, r - 6); };
  for (std::size_t i = 0; i < 15; ++i) {
    for (std::size_t j = i + 1; j < 15; ++j)
      all.push_back(squared(at(i).first, at(i).second, at(j).first, at(j).second));
  }
  std::sort(all.begin(), all.end());
  const double median = all[all.size() / 2];
  const auto k = [&](double s) {
    return (std::exp(-s / median) + std::exp(-s / (2 * median)) + std::exp(-s / (4 * median))) / 3;
  };
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (i != j) aa += k(squared(a, i, a, j));
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 9; ++j)
      if (i != j) bb += k(squared(b, i, b, j));
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 9; ++j) ab += k(squared(a, i, b, j));
  EXPECT_NEAR(rbf_mmd(a, b, 1, {}, {}), aa / 30 + bb / 72 - 2 * ab / 54, 1e-9);
}

TEST(Distance, RbfMmdIsZeroInTheMeanForEqualLaws) {
  double total = 0, squares = 0;
  const int repeats = 400;
  for (int r = 0; r < repeats; ++r) {
    std::vector<float> a = normal_rows(8, 2, 0, 100 + static_cast<std::uint64_t>(2 * r));
    std::vector<float> b = normal_rows(8, 2, 0, 101 + static_cast<std::uint64_t>(2 * r));
    const double v = rbf_mmd(view(a, 2), view(b, 2), 1, {}, {});
    total += v;
    squares += v * v;
  }
  const double mean = total / repeats, error = std::sqrt(squares / repeats / repeats);
  EXPECT_LT(std::abs(mean), 4 * error);
}

TEST(Distance, WassersteinInOneDimensionEqualsSorting) {
  for (const double shift : {0.0, 0.7, 3.0}) {
    std::vector<float> a = normal_rows(40, 1, 0, 5), b = normal_rows(40, 1, shift, 6);
    const double value = wasserstein(view(a, 1), view(b, 1), 1, {}, {});
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    double sorted = 0, mean_cost = 0;
    for (std::size_t r = 0; r < 40; ++r) sorted += std::abs(a[r] - b[r]) / 40.0;
    for (const float x : a)
      for (const float y : b) mean_cost += std::abs(x - y) / 1600.0;
    // The entropic plan costs at most ε·log(n) more than the best one.
    EXPECT_GE(value, sorted - 1e-6);
    EXPECT_LE(value, sorted + kSinkhornShare * mean_cost * std::log(40.0));
  }
}

TEST(Distance, GradientsEqualCentralDifferences) {
  for (const std::string& name : names_of(distances())) {
    const Distance distance = distance_of(name);
    std::vector<float> av = normal_rows(6, 3, 0, 7), bv = normal_rows(4, 3, 0.8, 8);
    std::vector<float> da(av.size(), 0.0f), db(bv.size(), 0.0f);
    distance(view(av, 3), view(bv, 3), 2.0, view(da, 3), view(db, 3));
    const auto check = [&](std::vector<float>& x, const std::vector<float>& g) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        const float before = x[k], step = 1e-3f;
        x[k] = before + step;
        const double up = distance(view(av, 3), view(bv, 3), 1, {}, {});
        x[k] = before - step;
        const double down = distance(view(av, 3), view(bv, 3), 1, {}, {});
        x[k] = before;
        // The median (rbf) and the plan (wasserstein) are held fixed in the gradient: near, not equal.
        const double expected = 2 * (up - down) / (2 * step), tolerance = name == "linear" ? 1e-4 : 0.15;
        EXPECT_NEAR(g[k], expected, tolerance * std::max(0.3, std::abs(expected))) << name << " " << k;
      }
    };
    check(av, da);
    check(bv, db);
  }
}

}  // namespace
}  // namespace equipoise
