// Speed of recommending to everybody: the best ten of 61,275 items, where scores are products of 32 numbers.
#include <benchmark/benchmark.h>

#include <numeric>

#include "log.h"
#include "recommender/recommender.h"

namespace equipoise {
namespace {

constexpr bench::Shape kShape{4096, 61275, 600000};

// Every item has rows of training. At its random start an item may come anywhere among a user's best, so that lists change as often as they can.
void recommend(benchmark::State& state, const char* base) {
  static const Dataset data = bench::random_log(kShape);
  Pool pool(static_cast<int>(state.range(0)));
  const Recommender recommender(std::make_unique<Recipe>("base", base), data, 1, pool);
  std::vector<std::int32_t> users(static_cast<std::size_t>(kShape.users));
  std::iota(users.begin(), users.end(), 0);
  for (auto _ : state) {
    recommender.top_k(users, 10, true, [](std::size_t, std::span<const Recommended> list) {
      benchmark::DoNotOptimize(list.data());
    });
  }
  const double flops = 2.0 * 32 * kShape.users * kShape.items * static_cast<double>(state.iterations());
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(recommend, gmf, "gmf")->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace equipoise
