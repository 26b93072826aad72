// The meter of matrix products: what `--wrap` of the linker makes of a call to equipoise::gemm.
#include "gemm_meter.h"

#include <time.h>

#include <cstddef>

namespace {

thread_local equipoise::bench::GemmMeter* meter = nullptr;

// Time that this thread had the processor: on a shared machine the wall clock would count others' work.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

namespace equipoise::bench {

GemmMeter::GemmMeter() { meter = this; }
GemmMeter::~GemmMeter() { meter = nullptr; }

}  // namespace equipoise::bench

// The names are those that the linker knows: the mangled name of equipoise::gemm behind __real_ and __wrap_.
extern "C" {

void __real__ZN9equipoise4gemmEbbmmmPKfmS1_mfPfm(bool, bool, std::size_t, std::size_t, std::size_t, const float*,
                                                 std::size_t, const float*, std::size_t, float, float*, std::size_t);

void __wrap__ZN9equipoise4gemmEbbmmmPKfmS1_mfPfm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n,
                                                 std::size_t k, const float* a, std::size_t lda, const float* b,
                                                 std::size_t ldb, float beta, float* c, std::size_t ldc) {
  const double begin = meter == nullptr ? 0 : now();
  __real__ZN9equipoise4gemmEbbmmmPKfmS1_mfPfm(transpose_a, transpose_b, m, n, k, a, lda, b, ldb, beta, c, ldc);
  if (meter == nullptr) return;
  meter->seconds += now() - begin;
  meter->flops += 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  meter->calls += 1;
}
}
