// Running one trial.
#include "compare/trial.h"

#include <algorithm>
#include <cmath>

#include "compare/example_lists.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "data/data_card.h"
#include "recommender/model_file.h"
#include "train/trainer.h"

namespace equipoise {

namespace {

StoredEvaluation to_stored(Evaluation evaluation) {
  Json calibration = Json::array();
  for (const CalibrationBin& bin : evaluation.calibration) {
    calibration.push_back(
        Json::object({{"probability", bin.probability}, {"positive_share", bin.positive_share}, {"pairs", bin.pairs}}));
  }
  StoredEvaluation out;
  out.protocol = evaluation.protocol;
  out.summary = to_json(evaluation);
  out.summary["calibration"] = std::move(calibration);
  out.users = std::move(evaluation.users);
  out.per_user = std::move(evaluation.per_user);
  out.resampled = std::move(evaluation.resampled);
  return out;
}

std::vector<StoredEvaluation> measure(const Plan& plan, const Scorer& scorer, const Dataset& data, Pool& pool) {
  std::vector<std::string> protocols = plan.protocols;
  if (protocols.empty()) protocols.push_back(own_protocol(data, Part::test));
  std::vector<StoredEvaluation> out;
  for (const std::string& protocol : protocols) {
    EvaluationPlan evaluation;
    evaluation.protocol = protocol;
    evaluation.k = plan.k;
    evaluation.more_k = plan.more_k;
    evaluation.count_empty = plan.ndcg_empty == kEmptyIsOne;
    evaluation.seed = plan.seed;  // the same resamples and sampled items in every run, so that runs can be paired
    evaluation.replicates = plan.replicates;
    out.push_back(to_stored(evaluate(scorer, data, evaluation, pool)));
  }
  // Once a run, for the report: what it was measured on, and a few lists to look at.
  out.front().summary["data"] = data_card(data);
  out.front().summary["examples"] = example_lists(scorer, data);
  return out;
}

void train_and_measure(const Plan& plan, int epochs, const Dataset& data, StoredTrial& trial) {
  Candidate candidate(plan.arm(trial.key.arm), trial.settings);
  candidate.train.metric = plan.metric;
  candidate.train.metric_k = plan.k;
  candidate.train.seed = trial.seed;
  if (epochs > 0) candidate.train.epochs = std::min(candidate.train.epochs, epochs);
  // In a search this is one setting's failure, not the plan's: the trainer would refuse it as a mistake in usage.
  const bool judged = candidate.train.epochs > candidate.recipe->method().warm_up();
  Pool pool(1);
  const Stopwatch watch;
  Recommender recommender(std::move(candidate.recipe), data, trial.seed);
  trial.valid = judged ? Trainer(recommender, data, candidate.train, pool).run().best_metric : std::nan("");
  trial.seconds = watch.seconds();
  if (std::isnan(trial.valid)) {
    throw CheckError("no epoch was judged on the validation part: the method's warm-up needs more epochs");
  }
  trial.training = recommender.training;
  if (trial.key.stage != kFinal) return;
  recommender.prepare_lists(pool);
  trial.evaluations = measure(plan, PoolScorer(recommender, pool), data, pool);
}

// What is kept of training, as far as we know it of a method that others wrote.
Json outside_story(const Plan& plan, const StoredTrial& trial) {
  return Json::object({{"settings", to_json(trial.settings)},
                       {"metric", plan.metric},
                       {"best_epoch", 0},
                       {"best_metric", number_or_null(trial.valid)},
                       {"stopped_early", false},
                       {"curve", Json::array()},
                       {"findings", Json::object()}});
}

void train_and_measure_outside(const Plan& plan, const Dataset& data,
                               const std::shared_ptr<const Dataset>& without_test, const OutsideArm& method,
                               StoredTrial& trial) {
  Settings settings = plan.arm(trial.key.arm).fixed;
  settings.insert(settings.end(), trial.settings.begin(), trial.settings.end());
  const Stopwatch watch;
  const std::unique_ptr<Scorer> scorer = method.trained(without_test, settings, trial.seed);
  trial.seconds = watch.seconds();
  trial.valid = ValidationMetric(data, Part::valid, plan.metric, plan.k)(*scorer);
  if (std::isnan(trial.valid)) throw CheckError("the validation metric is not defined for these scores");
  trial.training = outside_story(plan, trial);
  if (trial.key.stage != kFinal) return;
  Pool pool(1);
  trial.evaluations = measure(plan, *scorer, data, pool);
}

// Runs it; an error that is not the plan's is why the trial failed.
template <class Run>
StoredTrial kept_trial(const Plan& plan, const TrialKey& key, const Settings& chosen, const Dataset& data, Run run) {
  StoredTrial trial;
  trial.key = key;
  trial.seed = trial_seed(plan, key);
  trial.settings = chosen;
  trial.data = data.fingerprint();
  trial.version = kVersion;
  try {
    run(trial);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    // With no setting of its own it is not the trial's fault but the plan's.
    if (chosen.empty() && dynamic_cast<const UsageError*>(&error) != nullptr) throw;
    trial.failed = true;
    trial.error = error.what();
    trial.valid = std::nan("");
    trial.training = Json::object();
    trial.evaluations.clear();
  }
  return trial;
}

}  // namespace

std::uint64_t trial_seed(const Plan& plan, const TrialKey& key) {
  constexpr std::uint64_t kApart = 1'000'000'007;  // no seed that somebody would give
  if (key.stage == kFinalist) return plan.seed + kApart * static_cast<std::uint64_t>(key.rung);
  if (key.stage != kFinal) return plan.seed;
  const auto number = static_cast<std::size_t>(key.number);
  return plan.seed_list.empty() ? plan.seed + 1 + number : plan.seed_list[number];
}

StoredTrial run_trial(const Plan& plan, const TrialKey& key, const Settings& chosen, int epochs, const Dataset& data) {
  return kept_trial(plan, key, chosen, data, [&](StoredTrial& trial) { train_and_measure(plan, epochs, data, trial); });
}

StoredTrial run_outside_trial(const Plan& plan, const TrialKey& key, const Settings& chosen, const Dataset& data,
                              const std::shared_ptr<const Dataset>& without_test, const OutsideArm& method) {
  return kept_trial(plan, key, chosen, data,
                    [&](StoredTrial& trial) { train_and_measure_outside(plan, data, without_test, method, trial); });
}

}  // namespace equipoise
