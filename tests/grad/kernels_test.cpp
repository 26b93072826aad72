// The kernels of every instruction set this machine has, against plain arithmetic in double.
#include "grad/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <vector>

#include "grad/gemm.h"
#include "grad/kernel_sets.h"
#include "grad/matrix.h"

namespace equipoise {
namespace {

using test::available;
using test::numbers;

TEST(Kernels, ExponentialFunctionsAreExactToAFewUnits) {
  for (const Kernels* k : available()) {
    std::vector<float> x;
    for (double v = -100; v <= 100; v += 0.037) x.push_back(static_cast<float>(v));
    std::vector<float> s(x.size()), p(x.size()), e = x;
    k->sigmoid(x.data(), s.data(), x.size());
    k->softplus(x.data(), p.data(), x.size());
    k->elu(e.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double v = x[i];
      const double sigmoid = v < -87 ? s[i] : 1 / (1 + std::exp(-v));  // below, both are smaller than a normal float
      EXPECT_NEAR(s[i], sigmoid, 4e-7 * sigmoid) << k->name << " " << v;
      const double softplus = std::max(v, 0.0) + std::log1p(std::exp(-std::abs(v)));
      if (v > -85) {
        EXPECT_NEAR(p[i], softplus, 5e-7 * softplus) << k->name << " " << v;
      }
      EXPECT_NEAR(e[i], v > 0 ? v : std::expm1(v), 2e-7 * std::max(1.0, std::abs(v))) << k->name << " " << v;
    }
  }
}

TEST(Kernels, GemmEqualsPlainLoops) {
  const std::size_t m = 37, n = 29, k = 41;
  const std::vector<float> a = numbers(m * k, 1, 1), b = numbers(k * n, 1, 2), start = numbers(m * n, 1, 3);
  const auto check = [&](auto&& multiply, const char* name) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        for (const float beta : {0.0f, 1.0f}) {
          std::vector<float> c = start;
          multiply(ta, tb, m, n, k, a.data(), ta ? m : k, b.data(), tb ? k : n, beta, c.data(), n);
          for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
              double expected = beta * start[i * n + j];
              for (std::size_t p = 0; p < k; ++p) {
                expected += static_cast<double>(ta ? a[p * m + i] : a[i * k + p]) * (tb ? b[j * k + p] : b[p * n + j]);
              }
              ASSERT_NEAR(c[i * n + j], expected, 1e-4) << name << ta << tb << beta;
            }
          }
        }
      }
    }
  };
  check(gemm, gemm_name());
  for (const Kernels* set : available()) check(set->gemm, set->name);
}

// In the registers' part of an array as in its rest.
TEST(Kernels, AFunctionOfANumberIsTheSameAtAnyPlace) {
  for (const Kernels* set : available()) {
    const std::vector<float> x = numbers(67, 5, 4);
    for (std::size_t first = 0; first < x.size(); ++first) {
      const std::size_t n = x.size() - first;
      std::vector<float> sigmoid(n), softplus(n), elu(x.begin() + static_cast<std::ptrdiff_t>(first), x.end());
      set->sigmoid(&x[first], sigmoid.data(), n);
      set->softplus(&x[first], softplus.data(), n);
      set->elu(elu.data(), n);
      for (std::size_t i = 0; i < n; ++i) {
        float one = x[first + i], alone = 0;
        set->elu(&one, 1);
        ASSERT_EQ(elu[i], one) << set->name << " elu " << n << " at " << i;
        set->sigmoid(&x[first + i], &alone, 1);
        ASSERT_EQ(sigmoid[i], alone) << set->name << " sigmoid " << n << " at " << i;
        set->softplus(&x[first + i], &alone, 1);
        ASSERT_EQ(softplus[i], alone) << set->name << " softplus " << n << " at " << i;
      }
    }
  }
}

TEST(Kernels, ReluCutsWhatIsBelowZeroAndKeepsNaN) {
  for (const Kernels* k : available()) {
    for (const std::size_t n : {1U, 16U, 37U}) {
      std::vector<float> y = numbers(n, 1, 7);
      y[n / 2] = 0;
      const std::vector<float> x = y, g0 = numbers(n, 1, 8);
      std::vector<float> g = g0;
      k->relu(y.data(), n);
      k->relu_back(y.data(), g.data(), n);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(y[i], std::max(x[i], 0.0f)) << k->name;
        EXPECT_EQ(g[i], x[i] > 0 ? g0[i] : 0.0f) << k->name;
      }
      y[n - 1] = std::nanf("");
      k->relu(y.data(), n);
      EXPECT_TRUE(std::isnan(y[n - 1])) << k->name;
    }
  }
}

TEST(Kernels, TilesShowTheRowsWithAScoreAboveTheLimit) {
  for (const Kernels* k : available()) {
    for (const std::size_t width : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{32}}) {
      const auto u = numbers(width * kTileUsers, 1, 1), i = numbers((width + 1) * kTileItems, 1, 2);
      const Floats items(i.begin(), i.end());
      for (const double place : {0.0, 0.5, 0.9, 1.0}) {  // of the limit, between a row's lowest score and its highest
        std::vector<double> expected(kTileUsers * kTileItems);
        std::vector<float> limits(kTileUsers);
        for (std::size_t r = 0; r < kTileUsers; ++r) {
          double* row = expected.data() + r * kTileItems;
          for (std::size_t c = 0; c < kTileItems; ++c) {
            row[c] = i[c];
            for (std::size_t p = 0; p < width; ++p) row[c] += u[p * kTileUsers + r] * i[(p + 1) * kTileItems + c];
          }
          const auto [low, high] = std::minmax_element(row, row + kTileItems);
          limits[r] = static_cast<float>(*low + place * (*high - *low) + (place == 1.0 && r % 3 != 0 ? 1e-3 : -1e-3));
        }
        Floats scores(kTileUsers * kTileItems);
        std::vector<std::uint32_t> above(kTileUsers);
        const std::uint32_t rows =
            k->tile_above(u.data(), items.data(), width, limits.data(), above.data(), scores.data());
        for (std::size_t r = 0; r < kTileUsers; ++r) {
          const bool shown = (rows >> r & 1) != 0;
          EXPECT_EQ(shown, place < 1.0 || r % 3 == 0) << k->name << " width " << width << " row " << r;
          for (std::size_t c = 0; shown && c < kTileItems; ++c) {
            const float score = scores[r * kTileItems + c];
            EXPECT_NEAR(score, expected[r * kTileItems + c], 1e-5) << k->name << " width " << width;
            EXPECT_EQ((above[r] >> c & 1) != 0, score > limits[r]) << k->name << " width " << width;
          }
        }
        EXPECT_EQ(rows >> kTileUsers, 0u);
      }
    }
  }
}

// A tile may have fewer users than fit; the scores of those that it has are the same.
TEST(Kernels, TilesMayBeNarrow) {
  constexpr std::size_t kWidth = 7;
  const auto u = numbers(kWidth * kTileUsers, 1, 1), i = numbers((kWidth + 1) * kTileItems, 1, 2);
  const Floats items(i.begin(), i.end());
  for (const Kernels* k : available()) {
    Floats all(kTileUsers * kTileItems), some(all.size());
    std::vector<std::uint32_t> above(kTileUsers);
    std::vector<float> limits(kTileUsers, -1e9f);
    k->tile_above(u.data(), items.data(), kWidth, limits.data(), above.data(), all.data());
    for (std::size_t count = kTileUsers + 1; count-- > 0;) {
      if (count < kTileUsers) limits[count] = std::numeric_limits<float>::infinity();
      EXPECT_EQ(k->tile_above(u.data(), items.data(), kWidth, limits.data(), above.data(), some.data()),
                (1U << count) - 1)
          << k->name << " " << count;
      for (std::size_t n = 0; n < count * kTileItems; ++n) EXPECT_EQ(some[n], all[n]) << k->name << " " << count;
    }
  }
}

TEST(Kernels, OptimizersFollowTheirEquations) {
  for (const Kernels* k : available()) {
    const std::size_t n = 67;
    std::vector<float> value = numbers(n, 1, 4), m = numbers(n, 0.1, 5), v(n, 0.04f), sum(n, 0.25f);
    const std::vector<float> g = numbers(n, 1, 6), value0 = value, m0 = m;
    const AdamStep step{0.01f, 0.9f, 0.999f, 1e-8f, 1.5f, 0.2f};
    k->adam(step, value.data(), g.data(), m.data(), v.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      const double gi = g[i] + 0.2 * value0[i];
      const double mi = 0.9 * m0[i] + 0.1 * gi, vi = 0.999 * 0.04 + 0.001 * gi * gi;
      EXPECT_NEAR(value[i], value0[i] - 0.01 * mi / (std::sqrt(vi) * 1.5 + 1e-8), 1e-6) << k->name;
    }
    value = value0;
    k->adagrad(0.1f, 1e-8f, 0.2f, value.data(), g.data(), sum.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      const double gi = g[i] + 0.2 * value0[i];
      EXPECT_NEAR(value[i], value0[i] - 0.1 * gi / std::sqrt(0.25 + gi * gi), 1e-6) << k->name;
    }
    value = value0;
    k->sgd(0.1f, 0.2f, value.data(), g.data(), n);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(value[i], value0[i] - 0.1 * (g[i] + 0.2 * value0[i]), 1e-6);
  }
}

TEST(Kernels, RowsAreGatheredAndScatteredOneByOne) {
  for (const Kernels* k : available()) {
    for (const std::size_t width : {1U, 5U, 32U, 33U}) {
      const std::vector<float> table = numbers(40 * width, 1, 7);
      const std::vector<std::int32_t> rows = {3, -1, 39, 3, 0, 17, 4, 4, 21, 38, 1, 2, -1, 5};
      std::vector<float> out(rows.size() * width, 9.0f);
      k->gather(table.data(), rows.data(), rows.size(), width, out.data());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < width; ++c) {
          EXPECT_EQ(out[r * width + c], rows[r] < 0 ? 0.0f : table[static_cast<std::size_t>(rows[r]) * width + c]);
        }
      }
      // slot 0 twice, slot 1 once, and a row that has none
      const std::vector<std::int32_t> slots = {~0, kNoSlot, ~1, 0};
      std::vector<float> sums(2 * width, 9.0f);  // what was there before does not count
      k->scatter(table.data(), slots.data(), slots.size(), width, sums.data());
      for (std::size_t c = 0; c < width; ++c) {
        EXPECT_EQ(sums[c], table[c] + table[3 * width + c]) << k->name;
        EXPECT_EQ(sums[width + c], table[2 * width + c]) << k->name;
      }
    }
  }
}

TEST(Kernels, ExponentialsAreThoseOfTheRowWithItsBias) {
  for (const Kernels* k : available()) {
    for (const std::size_t n : {1U, 3U, 4U, 15U, 16U, 17U, 64U, 65U, 127U, 1000U}) {
      const std::vector<float> x = numbers(n, 10, 11), bias = numbers(n, 1, 12);
      for (const bool biased : {false, true}) {
        std::vector<float> e = x, logits = x;
        const Exponentials out = k->exponentials(e.data(), biased ? bias.data() : nullptr, n);
        for (std::size_t i = 0; biased && i < n; ++i) logits[i] += bias[i];
        const float most = *std::max_element(logits.begin(), logits.end());
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const double expected = std::exp(static_cast<double>(logits[i] - most));  // the difference is rounded
          sum += expected;
          EXPECT_NEAR(e[i], expected, 3e-7 * expected + 1e-37) << k->name << " " << n << " " << i;
        }
        EXPECT_NEAR(out.log_sum, most + std::log(sum), 1e-5) << k->name << " " << n;
        EXPECT_NEAR(out.share * sum, 1, 1e-5) << k->name << " " << n;
      }
    }
    for (const std::size_t at : {0U, 20U, 69U}) {
      const std::vector<float> zeros(70, 0.0f);
      std::vector<float> x(70, 1.0f), bias = zeros;
      x[at] = std::nanf("");
      EXPECT_TRUE(std::isnan(k->exponentials(x.data(), nullptr, x.size()).log_sum)) << k->name << " " << at;
      EXPECT_TRUE(std::isnan(x[at]) && !std::isnan(x[1])) << k->name << " " << at;
      x.assign(70, 1.0f), bias[at] = std::nanf("");
      EXPECT_TRUE(std::isnan(k->exponentials(x.data(), bias.data(), x.size()).log_sum)) << k->name << " " << at;
      EXPECT_TRUE(std::isnan(x[at])) << k->name << " " << at;
      x.assign(70, 1.0f), x[at] = INFINITY;
      EXPECT_TRUE(std::isnan(k->exponentials(x.data(), zeros.data(), x.size()).log_sum)) << k->name << " " << at;
      // What is far below the largest number has the least of powers, that of −87.
      for (const float far : {-90.0f, -1000.0f, -INFINITY}) {
        x.assign(71, 0.0f), x[at] = far, x[70] = 9.0f;
        const Exponentials out = k->exponentials(x.data(), nullptr, 70);
        EXPECT_NEAR(x[at], std::exp(-87.0), 3e-7 * std::exp(-87.0)) << k->name << " " << at;
        EXPECT_NEAR(out.log_sum, std::log(69.0), 1e-5) << k->name << " " << at;
        EXPECT_EQ(x[70], 9.0f) << k->name << " " << at;
      }
    }
  }
}

TEST(Kernels, RowsFarApartAreCopiedAddedAndScaled) {
  for (const Kernels* k : available()) {
    for (const std::size_t width : {1U, 8U, 16U, 37U}) {
      const std::size_t rows = 5, stride = width + 3;
      const std::vector<float> x = numbers(rows * stride, 1, 13), start = numbers(rows * stride, 1, 14);
      std::vector<float> copied = start, added = start, sums(width, 0.0f), repeated(rows * width), scaled = x;
      k->copy_rows(x.data(), stride, copied.data(), stride, rows, width);
      k->add_rows(x.data(), stride, added.data(), stride, rows, width);
      k->add_rows(x.data(), stride, sums.data(), 0, rows, width);
      k->copy_rows(x.data(), 0, repeated.data(), width, rows, width);
      std::vector<float> more(rows * stride, 1.0f);
      k->scale_twice(0.3f, -2.0f, scaled.data(), more.data(), scaled.size());
      for (std::size_t i = 0; i < rows * stride; ++i) {
        const bool within = i % stride < width;
        EXPECT_EQ(copied[i], within ? x[i] : start[i]) << k->name;
        EXPECT_EQ(added[i], within ? start[i] + x[i] : start[i]) << k->name;
        EXPECT_EQ(scaled[i], x[i] * 0.3f * -2.0f) << k->name;
        EXPECT_EQ(more[i], 1.0f + scaled[i]) << k->name;
      }
      for (std::size_t c = 0; c < width; ++c) {
        float sum = 0;
        for (std::size_t r = 0; r < rows; ++r) sum += x[r * stride + c];
        EXPECT_EQ(sums[c], sum) << k->name;
        for (std::size_t r = 0; r < rows; ++r) EXPECT_EQ(repeated[r * width + c], x[c]) << k->name;
      }
    }
  }
}

TEST(Kernels, ProductsOfThreeByRowsAndColumns) {
  for (const Kernels* k : available()) {
    for (const std::size_t width : {1U, 8U, 32U, 45U}) {
      const std::size_t rows = 21;
      const std::vector<float> x = numbers(rows * width, 1, 15), y = numbers(rows * width, 1, 16),
                               h = numbers(width, 1, 17), g = numbers(rows, 1, 18);
      std::vector<float> dots(rows), columns(width), weighted(rows * width);
      k->dot3_rows(x.data(), y.data(), h.data(), rows, width, dots.data());
      k->dot3_columns(g.data(), x.data(), y.data(), rows, width, columns.data());
      k->weighted_rows(g.data(), h.data(), x.data(), rows, width, weighted.data());
      std::vector<double> by_row(rows, 0.0), by_column(width, 0.0);
      for (std::size_t i = 0; i < rows * width; ++i) {
        const double product = static_cast<double>(x[i]) * y[i];
        by_row[i / width] += product * h[i % width];
        by_column[i % width] += product * g[i / width];
        EXPECT_EQ(weighted[i], g[i / width] * h[i % width] * x[i]) << k->name;
      }
      for (std::size_t r = 0; r < rows; ++r) EXPECT_NEAR(dots[r], by_row[r], 1e-4) << k->name << " " << width;
      for (std::size_t c = 0; c < width; ++c) EXPECT_NEAR(columns[c], by_column[c], 1e-4) << k->name << " " << width;
    }
  }
}

// The same bytes as row after row: how rows are brought together must not change a model.
TEST(Kernels, AdamOnRowsIsAdamRowByRow) {
  const AdamStep step{0.01f, 0.9f, 0.999f, 1e-8f, 1.5f, 0.2f};
  for (const Kernels* k : available()) {
    for (const std::size_t cols : {1U, 5U, 32U}) {
      std::vector<float> value = numbers(300 * cols, 1, 8), m = numbers(300 * cols, 0.1, 9), v(300 * cols, 0.04f);
      std::vector<float> value1 = value, m1 = m, v1 = v;
      std::vector<std::int32_t> rows;
      for (std::int32_t r = 0; r < 150; ++r) rows.push_back((r * 7 + 2) % 300);
      const std::vector<float> g = numbers(rows.size() * cols, 1, 10);
      k->adam_rows(step, rows.data(), rows.size(), cols, value.data(), g.data(), m.data(), v.data());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::size_t at = static_cast<std::size_t>(rows[r]) * cols;
        k->adam(step, &value1[at], &g[r * cols], &m1[at], &v1[at], cols);
      }
      EXPECT_EQ(value, value1) << k->name << " " << cols;
      EXPECT_EQ(m, m1) << k->name << " " << cols;
      EXPECT_EQ(v, v1) << k->name << " " << cols;
    }
  }
}

}  // namespace
}  // namespace equipoise
