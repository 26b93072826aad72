// Speed of the exact all-pairs objective, value and gradient, against the number of items and of rows.
#include "balance/all_pairs.h"

#include <benchmark/benchmark.h>

#include "core/random.h"

namespace equipoise {
namespace {

// Items N, rows T; vectors of 32 numbers. The last case has the size of the paper's largest data set.
void all_pairs(benchmark::State& state) {
  const auto items = static_cast<std::size_t>(state.range(0)), rows = static_cast<std::size_t>(state.range(1));
  constexpr std::size_t kWidth = 32;
  Stream stream(1, "rows");
  Floats values(rows * kWidth), gradient(items * kWidth);
  std::vector<std::int32_t> item(rows);
  for (float& v : values) v = stream.uniform_float();
  for (std::int32_t& i : item) i = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(items)));
  AllPairs all(items, kWidth);
  for (auto _ : state) {
    all.clear();
    all.add({values.data(), rows, kWidth}, item);
    benchmark::DoNotOptimize(all.value());
    all.gradient({gradient.data(), items, kWidth});
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(1));
}
BENCHMARK(all_pairs)
    ->Args({1000, 300000})
    ->Args({2000, 300000})
    ->Args({4000, 300000})
    ->Args({8000, 300000})
    ->Args({1000, 600000})
    ->Args({1000, 1200000})
    ->Args({1000, 2400000})
    ->Args({1720, 19121})
    ->Args({61275, 2400000})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace equipoise
