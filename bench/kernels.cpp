// Speed of the parts of a step: matrix products, softmax, Adam, gather and scatter, batching and drawing.
#include "grad/kernels.h"

#include <benchmark/benchmark.h>

#include "data/batch.h"
#include "grad/gemm.h"
#include "grad/ops.h"
#include "grad/optimizer.h"
#include "log.h"

namespace equipoise {
namespace {

Floats some_numbers(std::size_t count) {
  Stream stream(1, "numbers");
  Floats out(count);
  for (float& v : out) v = stream.uniform_float() - 0.5f;
  return out;
}

void count_products(benchmark::State& state, std::size_t m, std::size_t n, std::size_t k) {
  const double flops = 2.0 * static_cast<double>(m * n * k) * static_cast<double>(state.iterations());
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsRate);
}

// A product as a step calls it: `transpose` 0 = A·B, 1 = A·Bᵀ, 2 = Aᵀ·B, of (m × k) and (k × n).
void product(benchmark::State& state) {
  const auto kind = state.range(0);
  const auto m = static_cast<std::size_t>(state.range(1)), n = static_cast<std::size_t>(state.range(2)),
             k = static_cast<std::size_t>(state.range(3));
  const Floats a = some_numbers(m * k), b = some_numbers(k * n);
  Floats c(m * n);
  for (auto _ : state) {
    gemm(kind == 2, kind == 1, m, n, k, a.data(), kind == 2 ? m : k, b.data(), kind == 1 ? k : n, 0.0f, c.data(), n);
    benchmark::ClobberMemory();
  }
  count_products(state, m, n, k);
}
BENCHMARK(product)
    ->ArgNames({"transpose", "m", "n", "k"})
    ->Args({0, 128, 1000, 64})      // D's logits
    ->Args({1, 128, 64, 1000})      // … their gradient into D's hidden layer
    ->Args({2, 64, 128, 1024})      // … and into a piece of its weights
    ->Args({1, 64, 512, 32})        // scores of a block of users and items, as a product
    ->Args({1, 256, 8192, 32})      // … of more of them
    ->Args({0, 1024, 1024, 1024});  // what a large product reaches

// A layer of a tower without its activation: m rows, from k numbers to n.
void layer(benchmark::State& state) {
  const auto m = static_cast<std::size_t>(state.range(0)), n = static_cast<std::size_t>(state.range(1)),
             k = static_cast<std::size_t>(state.range(2));
  const Floats x = some_numbers(m * k), w = some_numbers(k * n), bias = some_numbers(n);
  Floats y(m * n);
  for (auto _ : state) {
    affine(m, n, k, x.data(), w.data(), bias.data(), y.data());
    benchmark::ClobberMemory();
  }
  count_products(state, m, n, k);
}
BENCHMARK(layer)->ArgNames({"m", "n", "k"})->Args({128, 64, 64})->Args({128, 32, 64})->Args({128, 8, 32});

void softmax_rows(benchmark::State& state) {
  const Floats start = some_numbers(128 * 1000);
  Floats x(start.size());
  for (auto _ : state) {
    x = start;
    for (std::size_t r = 0; r < 128; ++r) benchmark::DoNotOptimize(softmax(x.data() + r * 1000, 1000));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * x.size()));
}
BENCHMARK(softmax_rows)->Unit(benchmark::kMicrosecond);

void adam(benchmark::State& state) {
  TrainedArray p("weights", TrainedArray::Kind::dense, 64, 1000);
  Pool pool(1);
  const OptimizerParams params;
  for (auto _ : state) {
    std::fill_n(p.gradient().data, p.gradient().size(), 0.01f);
    update(p, params, 0.001f, 1e-4f, pool);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * p.values().size()));
}
BENCHMARK(adam)->Unit(benchmark::kMicrosecond);

// 1,024 rows of 32 numbers out of a table, and their gradient back into it by lazy Adam.
void gather_scatter(benchmark::State& state) {
  Pool pool(1);
  Tape tape(pool);
  TrainedArray table("table", TrainedArray::Kind::table, 15400, 32);
  const std::vector<Lookup> sources = {{&table}};
  std::vector<std::int32_t> rows(1024);
  Stream stream(2, "rows");
  const OptimizerParams params;
  for (auto _ : state) {
    for (std::int32_t& r : rows) r = static_cast<std::int32_t>(stream.below(15400));
    tape.clear();
    tape.backward(mean(lookup(tape, rows, sources)));
    update(table, params, 0.001f, 1e-4f, pool);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * rows.size()));
}
BENCHMARK(gather_scatter)->Unit(benchmark::kMicrosecond);

// A batch of 1,024 rows with as many drawn pairs beside it.
void batch_and_draw(benchmark::State& state) {
  const bench::Shape shape;
  const Dataset data = bench::random_log(shape);
  Batches batches(data.train, shape.users, shape.items, 1024, 1, 1);
  batches.begin_epoch(1);
  std::size_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(batches.make(number++ % batches.count()));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 1024);
}
BENCHMARK(batch_and_draw)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace equipoise
