// Speed of whole steps of training (batch, drawn pairs, loss, gradient, optimiser) and of epochs, and how it grows.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <vector>

#include "gemm_meter.h"
#include "log.h"
#include "train/step.h"

namespace equipoise {
namespace {

// One of each number of items and of rows (0 = as many as usual); the paper's largest data set has its own shape.
const Dataset& log_with(int items, int rows) {
  static std::map<std::pair<int, int>, Dataset> logs;
  const auto found = logs.find({items, rows});
  if (found != logs.end()) return found->second;
  bench::Shape shape = items == bench::kLarge.items ? bench::kLarge : bench::Shape{.items = items};
  if (rows > 0) shape.rows = rows;
  return logs.emplace(std::pair(items, rows), bench::random_log(shape)).first->second;
}

struct Setting {
  const char* method;
  const char* base;
  int threads = 1;
  int batch = 1024;
  int items = 1000;
  int width = 32;
  int rows = 0;
  const char* optimizer = "lazy-adam";
  bool products = false;  // measure those as well
  const char* history = "none";
};

// Everything between two batches of a run, in a loop over the batches of an epoch.
class Walk {
 public:
  explicit Walk(const Setting& setting) : pool_(setting.threads), data_(log_with(setting.items, setting.rows)) {
    const Dataset& data = data_;
    params_.batch_size = setting.batch;
    params_.optimizer.name = setting.optimizer;
    auto recipe = std::make_unique<Recipe>(setting.method, setting.base);
    recipe->params().set("embedding", std::to_string(setting.width));
    recipe->params().set("history", setting.history);
    recipe->params().set("history_most", "64");
    recommender_ = std::make_unique<Recommender>(std::move(recipe), data, 1);
    Method& method = recommender_->recipe().method();
    method.read(data);
    method.begin_epoch(data, 1, pool_);
    phases_ = method.phases(1);
    step_ = std::make_unique<Step>(*recommender_, params_, pool_);
    batches_ = std::make_unique<Batches>(data.train, data.users.size(), data.items.size(),
                                         static_cast<std::size_t>(setting.batch), params_.seed,
                                         static_cast<std::size_t>(method.needs().drawn), method.needs().against);
    batches_->use(recommender_->catalogue().history);
    batches_->begin_epoch(1);
    for (int warm = 0; warm < 5; ++warm) (*this)();
  }

  void operator()() {
    if (next_ + 1 >= batches_->count()) next_ = 0;  // the last one may be smaller
    step(next_++);
  }
  /// All of them, in an order of their own.
  void epoch() {
    ++epoch_;
    recommender_->recipe().method().begin_epoch(data_, epoch_, pool_);
    batches_->begin_epoch(epoch_);
    for (std::size_t k = 0; k < batches_->count(); ++k) step(k);
  }

 private:
  void step(std::size_t number) {
    (*step_)(phases_, batches_->make(number), [](const Phase&, float loss) { benchmark::DoNotOptimize(loss); });
  }

  Pool pool_;
  const Dataset& data_;
  TrainParams params_;
  std::unique_ptr<Recommender> recommender_;
  std::vector<Phase> phases_;
  std::unique_ptr<Step> step_;
  std::unique_ptr<Batches> batches_;
  std::size_t next_ = 0;
  int epoch_ = 1;
};

// The products' share is measured apart from the time: the meter costs two looks at the clock for each.
void count_products(benchmark::State& state, Walk& walk) {
  constexpr int kSteps = 10;
  bench::GemmMeter meter;
  for (int k = 0; k < kSteps; ++k) walk();
  state.counters["product_flops"] = meter.flops() / kSteps;
  state.counters["product_rate"] = meter.flops() / meter.seconds();
  state.counters["product_calls"] = meter.calls() / kSteps;
}

void step(benchmark::State& state, const Setting& setting) {
  Walk walk(setting);
  for (auto _ : state) walk();
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * setting.batch);
  if (setting.products) count_products(state, walk);
}

// Both in turns, so that they meet the same moments of a busy machine; some steps each, because the first ones of a
// turn find the caches full of the other's numbers, which a training run does not.
void time_ratio(benchmark::State& state, const Setting& slow, const Setting& fast) {
  constexpr int kSteps = 16;
  Walk one(slow), two(fast);
  const auto seconds = [](Walk& walk) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < kSteps; ++k) walk();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::vector<double> ratios;
  for (auto _ : state) ratios.push_back(seconds(one) / seconds(two));
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  state.counters["ratio"] = *middle;
}

void two_threads(benchmark::State& state, const Setting& setting) {
  Setting faster = setting;
  faster.threads = 2;
  time_ratio(state, setting, faster);
}

// How many times as long a step with a history takes, and how many items a history has.
void with_history(benchmark::State& state, const Setting& setting) {
  Setting longer = setting;
  longer.history = "shown";
  time_ratio(state, longer, setting);
  const UserItems history = user_items(log_with(setting.items, setting.rows).train, 15400, 1);
  state.counters["rows"] = static_cast<double>(history.items.size()) / 15400;
}

void epoch(benchmark::State& state, const Setting& setting) {
  Walk walk(setting);
  for (auto _ : state) walk.epoch();
}

void add(const std::string& name, const Setting& setting) {
  benchmark::RegisterBenchmark(name.c_str(), step, setting)->Unit(benchmark::kMicrosecond)->UseRealTime();
}

const bool kAdded = [] {
  const Setting gmf{"base", "gmf"}, mlp{"base", "mlp"}, cbr{"cbr", "mlp"};
  for (const auto& [name, plain] : std::map<std::string, Setting>{{"gmf", gmf}, {"mlp", mlp}, {"cbr", cbr}}) {
    Setting one = plain, dense = plain;
    one.products = true;
    dense.optimizer = "adam";
    add("step/" + name, one);
    benchmark::RegisterBenchmark(("two_threads/" + name).c_str(), two_threads, plain)->UseRealTime();
    add("step/" + name + "/dense", dense);
    benchmark::RegisterBenchmark(("with_history/" + name).c_str(), with_history, plain)->UseRealTime();
    for (const int factor : {1, 2, 4, 8}) {
      Setting batch = plain, width = plain;
      batch.batch = 256 * factor;
      width.width = 16 * factor;
      add("cost/" + name + "/batch:" + std::to_string(batch.batch), batch);
      add("cost/" + name + "/width:" + std::to_string(width.width), width);
      Setting rows = plain;
      rows.rows = 20000 * factor;
      const std::string epochs = "cost/" + name + "/rows:" + std::to_string(rows.rows);
      benchmark::RegisterBenchmark(epochs.c_str(), epoch, rows)->Unit(benchmark::kMicrosecond)->UseRealTime();
    }
  }
  Setting large = cbr;
  large.items = bench::kLarge.items;
  add("step/large", large);
  for (const int factor : {1, 2, 4, 8}) {
    Setting items = cbr;
    items.items = 500 * factor;
    add("cost/cbr/items:" + std::to_string(items.items), items);
  }
  return true;
}();

}  // namespace
}  // namespace equipoise
