// The meter of matrix products: what `--wrap` of the linker makes of calls to equipoise::gemm and equipoise::affine.
#include "gemm_meter.h"

#include <algorithm>
#include <chrono>

namespace {

using equipoise::bench::GemmMeter;

thread_local GemmMeter* meter = nullptr;

template <class Run>
void metered(const GemmMeter::Shape& shape, const Run& run) {
  if (meter == nullptr) return run();
  const auto begin = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  meter->add(shape, took.count());
}

}  // namespace

namespace equipoise::bench {

GemmMeter::GemmMeter() { meter = this; }
GemmMeter::~GemmMeter() { meter = nullptr; }

double GemmMeter::calls() const {
  double total = 0;
  for (const auto& [shape, took] : took_) total += static_cast<double>(took.size());
  return total;
}

double GemmMeter::flops() const {
  double total = 0;
  for (const auto& [shape, took] : took_) {
    const auto& [a, b, m, n, k] = shape;
    total += 2.0 * static_cast<double>(m * n * k) * static_cast<double>(took.size());
  }
  return total;
}

double GemmMeter::seconds() const {
  double total = 0;
  for (const auto& [shape, took] : took_) {
    std::vector<double> sorted = took;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    total += *middle * static_cast<double>(took.size());
  }
  return total;
}

}  // namespace equipoise::bench

// The names are those that the linker knows: the mangled names of equipoise::gemm and equipoise::affine behind __real_
// and __wrap_.
extern "C" {

void __real__ZN9equipoise4gemmEbbmmmPKfmS1_mfPfm(bool, bool, std::size_t, std::size_t, std::size_t, const float*,
                                                 std::size_t, const float*, std::size_t, float, float*, std::size_t);
void __real__ZN9equipoise6affineEmmmPKfS1_S1_Pf(std::size_t, std::size_t, std::size_t, const float*, const float*,
                                                const float*, float*);

void __wrap__ZN9equipoise4gemmEbbmmmPKfmS1_mfPfm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n,
                                                 std::size_t k, const float* a, std::size_t lda, const float* b,
                                                 std::size_t ldb, float beta, float* c, std::size_t ldc) {
  metered({transpose_a, transpose_b, m, n, k}, [&] {
    __real__ZN9equipoise4gemmEbbmmmPKfmS1_mfPfm(transpose_a, transpose_b, m, n, k, a, lda, b, ldb, beta, c, ldc);
  });
}

void __wrap__ZN9equipoise6affineEmmmPKfS1_S1_Pf(std::size_t m, std::size_t n, std::size_t k, const float* x,
                                                const float* w, const float* bias, float* y) {
  metered({false, false, m, n, k}, [&] { __real__ZN9equipoise6affineEmmmPKfS1_S1_Pf(m, n, k, x, w, bias, y); });
}
}
