// Speed of recommending to everybody: the best ten of 61,275 items, where scores are products of 32 numbers.
#include <benchmark/benchmark.h>

#include <numeric>

#include "data/guests.h"
#include "log.h"
#include "recommender/recommender.h"

namespace equipoise {
namespace {

constexpr bench::Shape kShape{100000, 61275, 600000};
constexpr int kUsers = 4096;  // of them: enough to tell, and soon done

// All items have rows of training, and nearly all users. At its random start an item may come anywhere among a user's
// best, so that lists change as often as they can.
void recommend(benchmark::State& state, const char* base) {
  static const Dataset data = bench::random_log(kShape);
  Pool pool(static_cast<int>(state.range(0)));
  const auto recommender =
      Recommender::frozen(std::make_unique<Recommender>(std::make_unique<Recipe>("base", base), data, 1), pool);
  std::vector<std::int32_t> users(static_cast<std::size_t>(kUsers));
  std::iota(users.begin(), users.end(), 0);
  const auto take = [](std::size_t, std::span<const Recommended> list) { benchmark::DoNotOptimize(list.data()); };
  for (auto _ : state) recommender->top_k(users, {}, pool, take);
  const double flops = 2.0 * 32 * kUsers * kShape.items * static_cast<double>(state.iterations());
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsRate);
}
// Somebody new with twenty items: the list of the best ten, on one thread.
void fold_in(benchmark::State& state, const char* base) {
  static const Dataset data = bench::random_log(kShape);
  auto recipe = std::make_unique<Recipe>("base", base);
  recipe->params().set("history", "shown");
  const auto recommender = Recommender::frozen(std::make_unique<Recommender>(std::move(recipe), data, 1), one_thread());
  std::vector<std::int32_t> items(20);
  Stream stream(1, "guest");
  for (std::int32_t& item : items) item = static_cast<std::int32_t>(stream.below(61275));
  Guests guest{{-1}, {}, {}};
  guest.history.add(items, std::vector<float>(items.size(), 1.0f));
  ListQuery query;
  query.guests = &guest;
  for (auto _ : state) benchmark::DoNotOptimize(recommender->top_k(0, query, one_thread()));
}
BENCHMARK_CAPTURE(fold_in, gmf, "gmf")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fold_in, mlp, "mlp")->Unit(benchmark::kMicrosecond);

BENCHMARK_CAPTURE(recommend, gmf, "gmf")->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace equipoise
