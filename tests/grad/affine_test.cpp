// Layers: the sums of a row in their order, those of the library, and the same whatever rows are beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "grad/gemm.h"
#include "grad/kernel_sets.h"

namespace equipoise {
namespace {

using test::available;
using test::numbers;

// Whatever tiles the rows and columns fall into: the products in the order of k, each rounded once where the set can,
// then the bias.
TEST(Affine, SumsInTheOrderOfKAndAddsTheBiasLast) {
  for (const Kernels* set : available()) {
    const std::string_view name = set->name;
    const bool fused = name != "x86-64-v2" && name != "plain";
    for (const std::size_t m : {1U, 2U, 5U, 6U, 12U, 29U, 128U}) {
      for (const std::size_t n : {1U, 8U, 16U, 17U, 32U, 40U, 64U, 119U}) {
        for (const std::size_t k : {0U, 1U, 40U}) {
          const std::vector<float> x = numbers(m * k + 1, 1, 1), w = numbers(k * n + n, 1, 2), bias = numbers(n, 1, 3);
          for (const float* shift : {bias.data(), static_cast<const float*>(nullptr)}) {
            std::vector<float> y(m * n + 1, 9.0f);
            set->affine(m, n, k, x.data(), w.data(), shift, y.data());
            for (std::size_t i = 0; i < m * n; ++i) {
              float expected = 0;
              for (std::size_t p = 0; p < k; ++p) {
                const float a = x[i / n * k + p], b = w[p * n + i % n];
                expected = fused ? std::fma(a, b, expected) : a * b + expected;
              }
              if (shift != nullptr) expected += shift[i % n];
              ASSERT_EQ(y[i], expected) << set->name << " " << m << " " << n << " " << k << " at " << i;
            }
            EXPECT_EQ(y.back(), 9.0f) << set->name;
          }
        }
      }
    }
  }
}

// So a model has the same bytes whichever of the two makes a layer.
TEST(Affine, HasTheBitsOfTheLibrary) {
  if (std::string_view(gemm_name()) != "oneDNN") GTEST_SKIP() << "oneDNN is not built in";
  if (std::string_view(kernels().name) != "x86-64-v4")
    GTEST_SKIP() << "with fewer instructions the library has other orders";
  if (std::getenv("DNNL_MAX_CPU_ISA") != nullptr || std::getenv("ONEDNN_MAX_CPU_ISA") != nullptr) {
    GTEST_SKIP() << "DNNL_MAX_CPU_ISA or ONEDNN_MAX_CPU_ISA says which instructions oneDNN may use";
  }
  for (const std::size_t m : {2U, 3U, 128U}) {
    for (const std::size_t n : {16U, 17U, 40U, 64U}) {
      for (const std::size_t k : {128U, 383U, 384U}) {
        const std::vector<float> x = numbers(m * k, 1, 1), w = numbers(k * n, 1, 2), bias = numbers(n, 1, 3);
        std::vector<float> own(m * n), library(m * n);
        kernels().affine(m, n, k, x.data(), w.data(), bias.data(), own.data());
        kernels().copy_rows(bias.data(), 0, library.data(), n, m, n);
        gemm(false, false, m, n, k, x.data(), k, w.data(), n, 1.0f, library.data(), n);
        EXPECT_EQ(own, library) << m << " " << n << " " << k;
      }
    }
  }
}

// Narrow layers, wide ones, one column; few rows, a whole piece, pieces and a rest.
TEST(Affine, ARowOfALayerIsTheSameWhateverRowsAreBesideIt) {
  constexpr std::size_t kMost = 301;
  for (const std::size_t n : {1U, 2U, 8U, 20U, 32U, 64U, 65U, 130U}) {
    for (const std::size_t k : {1U, 16U, 40U, 64U, 384U, 385U}) {
      const std::vector<float> x = numbers(kMost * k, 1, 1), w = numbers(k * n, 1, 2), bias = numbers(n, 1, 3);
      std::vector<float> alone(kMost * n), beside(kMost * n);
      for (std::size_t r = 0; r < kMost; ++r) affine(1, n, k, &x[r * k], w.data(), bias.data(), &alone[r * n]);
      for (const std::size_t m : {2U, 5U, 127U, 128U, 129U, 132U, 301U}) {
        affine(m, n, k, x.data(), w.data(), bias.data(), beside.data());
        ASSERT_TRUE(std::equal(alone.begin(), alone.begin() + static_cast<std::ptrdiff_t>(m * n), beside.begin()))
            << m << " " << n << " " << k;
      }
    }
  }
}

// Shapes of which some are the library's, some ours.
TEST(Affine, IsTheProductOntoRowsOfTheBias) {
  for (const std::size_t m : {1U, 3U, 128U}) {
    for (const std::size_t n : {1U, 8U, 64U, 65U}) {
      for (const std::size_t k : {5U, 64U, 384U, 385U}) {
        const std::vector<float> x = numbers(m * k, 1, 4), w = numbers(k * n, 1, 5), bias = numbers(n, 1, 6);
        for (const float* shift : {bias.data(), static_cast<const float*>(nullptr)}) {
          std::vector<float> y(m * n, 9.0f);
          affine(m, n, k, x.data(), w.data(), shift, y.data());
          for (std::size_t i = 0; i < m * n; ++i) {
            double expected = shift != nullptr ? shift[i % n] : 0;
            for (std::size_t p = 0; p < k; ++p) expected += static_cast<double>(x[i / n * k + p]) * w[p * n + i % n];
            ASSERT_NEAR(y[i], expected, 2e-4) << m << " " << n << " " << k;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace equipoise
