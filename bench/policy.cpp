// Lists drawn by policies, with their chances: what one costs.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "policy/lists.h"

namespace {

using namespace equipoise;

// A list of k from a catalogue of 10,000; scores are those of a normal law.
void draw_lists(benchmark::State& state, const char* text, std::size_t k) {
  const ListPolicy policy(Policy::parse(text), 1);
  Stream stream(1, "scores");
  std::vector<Recommended> ranked;
  for (std::int32_t i = 0; i < 10'000; ++i) ranked.push_back({i, static_cast<float>(stream.normal())});
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  ranked.resize(policy.ranked(k));
  PolicyRoom room;
  std::vector<std::int32_t> list;
  std::vector<Chances> chances;
  std::uint64_t n = 0;
  for (auto _ : state) {
    const std::uint64_t id = ++n;
    policy.draw({reinterpret_cast<const char*>(&id), sizeof id}, ranked, EligibleItems(10'000, {}), k, room, list,
                chances);
    benchmark::DoNotOptimize(chances.data());
  }
}

BENCHMARK_CAPTURE(draw_lists, none_10, "none", 10);
BENCHMARK_CAPTURE(draw_lists, epsilon_10, "epsilon=0.05", 10);
BENCHMARK_CAPTURE(draw_lists, epsilon_50, "epsilon=0.05", 50);
BENCHMARK_CAPTURE(draw_lists, plackett_luce_10_of_50, "plackett-luce,temperature=0.5,pool=50", 10);
BENCHMARK_CAPTURE(draw_lists, plackett_luce_10_of_200, "plackett-luce,temperature=0.5,pool=200", 10);
BENCHMARK_CAPTURE(draw_lists, plackett_luce_10_of_200_sharp, "plackett-luce,temperature=0.1,pool=200", 10);
BENCHMARK_CAPTURE(draw_lists, plackett_luce_50_of_200, "plackett-luce,temperature=0.5,pool=200", 50);
BENCHMARK_CAPTURE(draw_lists, plackett_luce_50_of_500, "plackett-luce,temperature=0.5,pool=500", 50);

}  // namespace
