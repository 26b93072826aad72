// Speed of the statistic without chance beside that of the all-pairs objective, on the same rows; and of weights.
#include "balance/above_chance.h"

#include <benchmark/benchmark.h>

#include "core/random.h"
#include "propensity/moment_side.h"

namespace equipoise {
namespace {

// Items N, rows T, 20 rows a user; vectors of 32 numbers. bench/all_pairs.cpp has the same cases.
void above_chance(benchmark::State& state) {
  const auto items = static_cast<std::size_t>(state.range(0)), rows = static_cast<std::size_t>(state.range(1));
  constexpr std::size_t kWidth = 32, kOfUser = 20;
  Stream stream(1, "rows");
  Floats values(rows * kWidth), gradient((items + 1) * (kWidth + 1));
  std::vector<std::int32_t> item(rows);
  for (float& v : values) v = stream.uniform_float();
  for (std::int32_t& i : item) i = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(items)));
  const Groups groups = groups_of_items(items);
  for (auto _ : state) {
    AboveChance above(items, kWidth);
    for (std::size_t t = 0; t < rows; t += kOfUser) {
      const std::size_t count = std::min(kOfUser, rows - t);
      above.add_user({values.data() + t * kWidth, count, kWidth}, std::span(item).subspan(t, count), groups);
    }
    benchmark::DoNotOptimize(above.value());
    above.gradient({gradient.data(), items + 1, kWidth + 1});
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(1));
}
BENCHMARK(above_chance)
    ->Args({1000, 300000})
    ->Args({1000, 1200000})
    ->Args({1720, 19121})
    ->Args({61275, 2400000})
    ->Unit(benchmark::kMillisecond);

// Users, items, rows, numbers on each side; from λ = 0 to the ρ of the default floor.
void balancing_weights(benchmark::State& state) {
  const auto users = static_cast<std::size_t>(state.range(0)), items = static_cast<std::size_t>(state.range(1));
  const auto rows = static_cast<std::size_t>(state.range(2)), width = static_cast<std::size_t>(state.range(3));
  Stream stream(1, "sides");
  const auto side = [&](std::size_t entities) {
    Floats memory(entities * width);
    std::vector<std::int32_t> every(entities);
    for (float& v : memory) v = static_cast<float>(stream.normal());
    for (std::size_t e = 0; e < entities; ++e) every[e] = static_cast<std::int32_t>(e);
    return moment_side({memory.data(), entities, width}, every, width, one_thread());
  };
  const MomentSide of_users = side(users), of_items = side(items);
  std::vector<std::int32_t> user(rows), item(rows);
  for (std::size_t t = 0; t < rows; ++t) {
    user[t] = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(users)));
    item[t] = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(items)));
  }
  for (auto _ : state) {
    const EntropyBalance balance({user, item, {}}, of_users, of_items, one_thread());
    benchmark::DoNotOptimize(balance.balance(0.3));
  }
}
BENCHMARK(balancing_weights)
    ->Args({290, 300, 6960, 16})
    ->Args({15400, 1000, 311704, 17})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace equipoise
