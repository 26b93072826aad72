// The meter of matrix products: what `--wrap` of the linker makes of a call to equipoise::gemm.
#include "gemm_meter.h"

#include <algorithm>
#include <chrono>

namespace {

thread_local equipoise::bench::GemmMeter* meter = nullptr;

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

// The names are those that the linker knows: the mangled name of equipoise::gemm behind __real_ and __wrap_.
extern "C" {

void __real__ZN9equipoise4gemmEbbmmmPKfmS1_mfPfm(bool, bool, std::size_t, std::size_t, std::size_t, const float*,
                                                 std::size_t, const float*, std::size_t, float, float*, std::size_t);

void __wrap__ZN9equipoise4gemmEbbmmmPKfmS1_mfPfm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n,
                                                 std::size_t k, const float* a, std::size_t lda, const float* b,
                                                 std::size_t ldb, float beta, float* c, std::size_t ldc) {
  const auto run = [&] {
    __real__ZN9equipoise4gemmEbbmmmPKfmS1_mfPfm(transpose_a, transpose_b, m, n, k, a, lda, b, ldb, beta, c, ldc);
  };
  if (meter == nullptr) return run();
  const auto begin = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  meter->add({transpose_a, transpose_b, m, n, k}, took.count());
}
}
