// Imbalance figures: one pass for the distance beyond chance, a small training for the probe.
#include "balance/imbalance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "balance/above_chance.h"
#include "balance/over_log.h"
#include "grad/optimizer.h"
#include "model/discriminator.h"

namespace equipoise {

double imbalance(const Rows& log, std::size_t items, const Project& project, Pool& pool) {
  const std::int32_t last = *std::max_element(log.user.begin(), log.user.end());
  const RowsByUser by_user(log, static_cast<std::size_t>(last) + 1);
  const Groups groups = groups_of_items(items);
  std::unique_ptr<AboveChance> above;
  over_users(by_user, pool, project, [&](std::size_t, const Matrix& rows, std::span<const std::int32_t> shown) {
    if (!above) above = std::make_unique<AboveChance>(items, rows.cols);
    above->add_user(rows, shown, groups);
  });
  const double variance = above->variance();
  return variance > 0 ? above->value() / variance : 0;
}

namespace {

constexpr std::size_t kProbeRows = 20000;
constexpr std::size_t kProbeBatch = 256;
constexpr int kProbeEpochs = 20;

struct Sample {
  Floats phi;  // (rows × width), centred and of unit scale, so that the probe's rate fits
  std::vector<std::int32_t> item;
};

// Every column about its mean, and all columns by one scale: what is small beside the rest stays small, as D sees it.
void standardise(Sample& sample, std::size_t width) {
  const std::size_t rows = sample.item.size();
  double squares = 0;
  for (std::size_t k = 0; k < width; ++k) {
    double sum = 0;
    for (std::size_t r = 0; r < rows; ++r) sum += sample.phi[r * width + k];
    const auto mean = static_cast<float>(sum / static_cast<double>(rows));
    for (std::size_t r = 0; r < rows; ++r) {
      float& v = sample.phi[r * width + k];
      v -= mean;
      squares += static_cast<double>(v) * v;
    }
  }
  const double scale = squares > 0 ? std::sqrt(static_cast<double>(rows * width) / squares) : 0;
  for (float& v : sample.phi) v = static_cast<float>(v * scale);
}

Sample draw_sample(const Rows& log, std::size_t width, const Project& project, std::uint64_t seed, Pool& pool) {
  std::vector<std::uint32_t> order(log.size());
  std::iota(order.begin(), order.end(), 0U);
  Stream(seed, "rows of the probe").shuffle(std::span(order));
  order.resize(std::min(order.size(), kProbeRows));
  Rows some;
  for (const std::uint32_t t : order) {
    some.user.push_back(log.user[t]);
    some.item.push_back(log.item[t]);
  }
  Sample out;
  over_log(some, pool, [&](Tape& tape, const Pairs& pairs) {
    const Matrix rows = project(tape, pairs).value();
    out.phi.insert(out.phi.end(), rows.data, rows.data + rows.size());
  });
  out.item = some.item;
  standardise(out, width);
  return out;
}

}  // namespace

Probe probe(const Rows& log, std::size_t items, std::size_t width, const Project& project, std::uint64_t seed,
            Pool& pool) {
  const Sample sample = draw_sample(log, width, project, seed, pool);
  const std::size_t half = sample.item.size() / 2;
  Network network("probe");
  Stream stream(seed, "start of the probe");
  DiscriminatorDesign whole;
  whole.full_items = static_cast<int>(items);
  Discriminator d(network, width, items, whole, stream);
  const OptimizerParams adam{"adam"};
  Tape tape(pool);
  const auto rows = [&](std::size_t first, std::size_t count) {
    return tape.constant(sample.phi.data() + first * width, count, width);
  };
  const std::span<const std::int32_t> item(sample.item);
  const std::vector<float> ones(kProbeBatch, 1.0f);
  for (int epoch = 0; epoch < kProbeEpochs; ++epoch) {
    for (std::size_t first = 0; first < half; first += kProbeBatch) {
      const std::size_t count = std::min(kProbeBatch, half - first);
      tape.clear();
      const Var w = tape.constant(ones.data(), count, 1);
      tape.backward(d.surprise(rows(first, count), item.subspan(first, count), w, 1.0f, 0, 0));
      for (TrainedArray& p : network.arrays()) update(p, adam, 0.005f, 1e-4f, pool);
    }
  }
  tape.clear();
  std::vector<std::size_t> counts(items, 0);
  for (std::size_t r = 0; r < half; ++r) ++counts[static_cast<std::size_t>(item[r])];
  const auto most = std::max_element(counts.begin(), counts.end()) - counts.begin();
  const auto rest = item.subspan(half);
  const auto hits = std::count(rest.begin(), rest.end(), static_cast<std::int32_t>(most));
  return {d.accuracy(rows(half, rest.size()), rest), static_cast<double>(hits) / static_cast<double>(rest.size())};
}

Json imbalance_findings(const Rows& log, const BalanceContext& context, const Project& before, bool with_probe,
                        Pool& pool) {
  Json out = Json::object({{"imbalance_before", imbalance(log, context.items, before, pool)},
                           {"imbalance_after", imbalance(log, context.items, context.project, pool)}});
  if (with_probe && context.items <= kMostProbeItems) {
    const Probe probed = probe(log, context.items, context.width, context.project, context.seed, pool);
    out["item_guessed"] = probed.accuracy;
    out["item_guessed_by_chance"] = probed.chance;
  }
  return out;
}

}  // namespace equipoise
