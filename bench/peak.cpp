// The limits of one core: multiply-adds in a second, and bytes in a second from memory.
#include <benchmark/benchmark.h>

#include <array>

#include "grad/matrix.h"

namespace equipoise {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 16;
#elif defined(__AVX__)
constexpr std::size_t kLanes = 8;
#else
constexpr std::size_t kLanes = 4;
#endif
using Lane __attribute__((vector_size(4 * kLanes))) = float;

// Twelve sums that do not wait for one another: more than two units × four cycles ask for, and they fit in registers.
void fma_peak(benchmark::State& state) {
  constexpr std::size_t kSums = 12;
  constexpr int kTurns = 10000;
  std::array<Lane, kSums> sums{};
  float start = 1.0f;
  benchmark::DoNotOptimize(start);
  const Lane factor = Lane{} + start * 0.999f, more = Lane{} + start;
  for (auto _ : state) {
    for (int turn = 0; turn < kTurns; ++turn) {
#pragma GCC unroll 12
      for (std::size_t k = 0; k < kSums; ++k) sums[k] = sums[k] * factor + more;
    }
    for (Lane& sum : sums) benchmark::DoNotOptimize(sum);
  }
  const double flops = 2.0 * kLanes * kSums * kTurns * static_cast<double>(state.iterations());
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsRate);
}
BENCHMARK(fma_peak);

// y = a x + y over 256 MB: 12 bytes moved for each number.
void bandwidth(benchmark::State& state) {
  Floats x(std::size_t{1} << 25, 1.0f), y(x.size(), 2.0f);
  for (auto _ : state) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += 0.5f * x[i];
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * x.size() * 12));
}
BENCHMARK(bandwidth)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace equipoise
