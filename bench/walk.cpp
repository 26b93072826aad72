// Speed of the walk from log to metrics: simulating, an epoch of training, scoring the catalogue, evaluating.
#include <benchmark/benchmark.h>

#include "data/simulate/simulate.h"
#include "eval/evaluation.h"
#include "train/trainer.h"

namespace equipoise {
namespace {

const Dataset& log_of_paper() {
  static const Dataset data = simulate({});
  return data;
}

std::unique_ptr<Recommender> fresh(const char* base) {
  return std::make_unique<Recommender>(std::make_unique<Recipe>("base", base), log_of_paper(), 1);
}

void simulate_log(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(simulate({}));
}
BENCHMARK(simulate_log)->Unit(benchmark::kMillisecond);

// 50,000 rows, features on, batches of 256.
void epoch(benchmark::State& state, const char* base) {
  Pool pool(static_cast<int>(state.range(0)));
  TrainParams params;
  params.epochs = 1;
  for (auto _ : state) {
    auto recommender = fresh(base);
    benchmark::DoNotOptimize(Trainer(*recommender, log_of_paper(), params, pool).run());
  }
  const auto rows = static_cast<std::int64_t>(log_of_paper().train.size());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * rows);
}
BENCHMARK_CAPTURE(epoch, gmf, "gmf")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(epoch, mlp, "mlp")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void top_ten(benchmark::State& state, const char* base) {
  Pool pool(1);
  const auto recommender = Recommender::frozen(fresh(base), pool);
  std::int32_t user = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(recommender->top_k(user, {}, pool));
    user = (user + 1) % log_of_paper().users.size();
  }
}
BENCHMARK_CAPTURE(top_ten, gmf, "gmf")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(top_ten, mlp, "mlp")->Unit(benchmark::kMicrosecond);

void evaluate_full(benchmark::State& state) {
  Pool pool(static_cast<int>(state.range(0)));
  const auto recommender = fresh("gmf");
  EvaluationPlan plan;
  plan.protocol = "full";
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(PoolScorer(*recommender, pool), log_of_paper(), plan, pool));
}
BENCHMARK(evaluate_full)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace equipoise
