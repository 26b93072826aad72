// Trains the base model on equal samples and compares what came of them.
#include "doctor/headroom.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/listener.h"
#include "core/named.h"
#include "core/text.h"
#include "data/random_sample.h"
#include "doctor/headroom_samples.h"
#include "eval/contrast.h"
#include "eval/distributions.h"
#include "eval/evaluation.h"
#include "grad/gemm.h"
#include "recommender/recommender.h"
#include "train/trainer.h"

namespace equipoise {

void HeadroomParams::describe(Params& p) {
  p("headroom", headroom,
    "also train the base model on rows of the log and on as many rows shown at random (of valid): what reweighting "
    "could gain at most");
  p("headroom_base", headroom_base, "the base model of that", one_of(names_of(bases())));
  p("headroom_folds", headroom_folds, "parts that valid is cut into for that, each judging once", between(3, 20));
  p("headroom_rows", headroom_rows, "rows of each kind that are learned from at most", at_least(100));
}

namespace {

constexpr std::size_t kFewest = 200;  // random rows
constexpr int kReplicates = 200;      // resamples of users

// Every model may choose among these: small samples want a strong λ.
constexpr std::array<const char*, 3> kLambdas = {"0.00001", "0.0001", "0.001"};

/// A model's AUC where it stops and where it is judged.
struct Judged {
  double stopping = std::numeric_limits<double>::quiet_NaN();
  RunValue judging;
  std::size_t users = 0;
};

Dataset learning(const Dataset& data, const Rows& train, const HeadroomSamples& samples) {
  Dataset out;
  out.name = data.name;
  out.users = data.users;
  out.items = data.items;
  out.user_features = data.user_features;
  out.item_features = data.item_features;
  out.held_out_users = data.held_out_users;
  out.held_out_items = data.held_out_items;
  out.withheld = data.withheld;
  out.train = train;
  out.train.propensity.clear();
  out.train.weight.clear();
  out.valid = samples.stopping;
  out.test = samples.judging;
  out.provenance = data.provenance;
  return out;
}

Judged train(const Dataset& data, const std::string& base, const char* lambda, std::uint64_t seed) {
  auto recipe = std::make_unique<Recipe>("base", base);
  recipe->params().set("history", "none");
  TrainParams params;
  Params described;
  params.describe(described);
  described.set("lambda", lambda);
  params.metric = "auc";
  params.seed = seed;
  Pool pool(1);
  Recommender recommender(std::move(recipe), data, seed);
  Judged out;
  out.stopping = Trainer(recommender, data, params, pool).run().best_metric;
  EvaluationPlan plan;
  plan.replicates = kReplicates;
  recommender.prepare_lists(pool);
  Evaluation evaluation = evaluate(PoolScorer(recommender, pool), data, plan, pool);
  out.judging = {evaluation.mean("auc"), std::move(evaluation.resampled.at("auc"))};
  out.users = evaluation.users.size();
  return out;
}

RunValue mean_of(const RunValue& a, const RunValue& b) {
  RunValue out{(a.value + b.value) / 2, a.resampled};
  for (std::size_t r = 0; r < out.resampled.size(); ++r) out.resampled[r] = (a.resampled[r] + b.resampled[r]) / 2;
  return out;
}

AucGap gap_of(const std::vector<RunValue>& a, const std::vector<RunValue>& b, std::size_t users) {
  const Contrast c = contrast(a, b, users);
  AucGap out{c.difference, c.standard_error, std::isnan(c.p) ? 1 : c.p, c.difference, c.difference};
  if (!(c.degrees > 0)) return out;
  const double half = student_point(0.025, c.degrees) * c.standard_error;
  out.low -= half, out.high += half;
  return out;
}

void check_random(const Dataset& data) {
  const auto refuse = [&](const std::string& why) {
    throw DataError(fmt::format("headroom compares the log with rows shown at random, which valid of {} must hold: {}",
                                data.name, why));
  };
  if (data.positives_only) refuse("the log has positives only, so that its rows and random ones are not alike");
  if (const std::string why = not_random(data); !why.empty()) refuse(why);
  if (data.valid.size() < kFewest) refuse(fmt::format("it has {} rows, expected {}", data.valid.size(), kFewest));
}

}  // namespace

Headroom headroom(const Dataset& data, const HeadroomParams& params, std::uint64_t seed, Pool& pool) {
  check_random(data);
  const int folds = params.headroom_folds;
  const auto count = static_cast<std::size_t>(folds);
  const std::vector<int> fold_of = random_folds(data.valid, data.users.size(), folds, seed);
  std::vector<HeadroomSamples> samples;
  for (int f = 0; f < folds; ++f) {
    samples.push_back(headroom_samples(data, fold_of, folds, f, static_cast<std::size_t>(params.headroom_rows), seed));
  }
  // Models: of random rows, of one sample of the log, of the other.
  constexpr std::size_t kModels = 3;
  std::vector<Judged> judged(count * kModels * kLambdas.size());
  prepare_products();
  Progress progress("headroom", static_cast<std::int64_t>(judged.size()), "models");
  pool.run(judged.size(), [&](std::size_t piece) {
    const HeadroomSamples& s = samples[piece / kLambdas.size() / kModels];
    const std::size_t model = piece / kLambdas.size() % kModels;
    const Dataset fold = learning(data, model == 0 ? s.random : s.log[model - 1], s);
    judged[piece] =
        train(fold, params.headroom_base, kLambdas[piece % kLambdas.size()], seed + piece / kLambdas.size());
  });
  std::array<std::vector<RunValue>, kModels> best;
  std::size_t users = 0;
  for (std::size_t f = 0; f < count; ++f) {
    for (std::size_t m = 0; m < kModels; ++m) {
      const auto first = judged.begin() + static_cast<std::ptrdiff_t>((f * kModels + m) * kLambdas.size());
      const auto chosen = std::max_element(first, first + kLambdas.size(), [](const Judged& a, const Judged& b) {
        return std::isnan(a.stopping) || a.stopping < b.stopping;
      });
      best[m].push_back(chosen->judging);
      users = std::max(users, chosen->users);
    }
  }
  std::vector<RunValue> of_log;
  Headroom out;
  double rows = 0;
  for (std::size_t f = 0; f < count; ++f) {
    of_log.push_back(mean_of(best[1][f], best[2][f]));
    out.from_random += best[0][f].value / static_cast<double>(folds);
    out.from_log += of_log.back().value / static_cast<double>(folds);
    rows += static_cast<double>(samples[f].random.size()) / static_cast<double>(folds);
    out.judged += static_cast<std::int64_t>(samples[f].judging.size());
  }
  out.rows = std::llround(rows);
  out.users = static_cast<std::int64_t>(users);
  out.gap = gap_of(best[0], of_log, users);
  out.control = gap_of(best[2], best[1], users);
  return out;
}

namespace {

Json gap_json(const AucGap& gap) {
  return Json::object(
      {{"value", gap.value}, {"error", gap.error}, {"low", gap.low}, {"high", gap.high}, {"p_value", gap.p_value}});
}

}  // namespace

Json to_json(const Headroom& h) {
  return Json::object({{"rows", h.rows},
                       {"users", h.users},
                       {"judged", h.judged},
                       {"auc_from_log", h.from_log},
                       {"auc_from_random", h.from_random},
                       {"gap", gap_json(h.gap)},
                       {"control", gap_json(h.control)}});
}

}  // namespace equipoise
