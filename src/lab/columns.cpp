// Tables of a run store as rows of plain values: results, tests, trials, users.
#include <cmath>

#include "api/hidden.h"
#include "compare/search.h"
#include "lab/hidden_runs.h"

namespace equipoise {

namespace {

ArmResult result_of(const Cell& cell) {
  const double none = std::nan("");
  ArmResult out{cell.source, cell.arm,  cell.protocol, cell.metric, cell.runs, cell.mean, cell.standard_error,
                cell.low,    cell.high, none,          none,        none,      none,      false};
  out.trials = cell.trials;
  out.failed = cell.failed;
  out.chosen = Parameters(cell.chosen.begin(), cell.chosen.end());
  out.difference_error = none;
  out.seconds_per_epoch = cell.seconds_per_epoch;
  if (!cell.base) return out;
  out.difference = cell.base->difference;
  out.difference_error = cell.base->standard_error;
  out.p = cell.base->p;
  out.p_holm = cell.base->p_holm;
  out.effect = cell.base->effect;
  out.significant = cell.base->significant;
  out.against = cell.base->other;
  return out;
}

TrialResult trial_of(const StoredTrial& trial) {
  return {trial.key.source,
          trial.key.arm,
          trial.key.stage,
          trial.key.rung,
          trial.key.number,
          trial.seed,
          Parameters(trial.settings.begin(), trial.settings.end()),
          trial.failed,
          trial.error,
          trial.valid,
          trial.seconds,
          trial.data,
          trial.version};
}

}  // namespace

std::vector<ArmResult> Runs::table(const std::string& metric) const {
  return guarded([&] {
    const Results& results = hidden_->results;
    const std::string& by = metric.empty() ? results.plan().metric : metric;
    metric_of_name(by);
    std::vector<ArmResult> out;
    for (const DataSource& source : results.plan().sources) {
      for (const std::string& protocol : results.protocols(source.name)) {
        for (const Cell& cell : results.cells(source.name, protocol, by)) out.push_back(result_of(cell));
      }
    }
    return out;
  });
}

std::vector<std::string> Runs::metrics() const {
  const Plan& plan = hidden_->results.plan();
  std::vector<std::string> out = {plan.metric};
  for (const MetricAt& metric : metrics_at(plan.all_k())) {
    if (metric.name != plan.metric) out.push_back(metric.name);
  }
  return out;
}

std::vector<PairResult> Runs::pairs() const {
  return guarded([&] {
    const Results& results = hidden_->results;
    std::vector<PairResult> out;
    for (const DataSource& source : results.plan().sources) {
      for (const std::string& protocol : results.protocols(source.name)) {
        for (const PairTest& test : results.pair_tests(source.name, protocol, results.plan().metric)) {
          const Versus& v = test.versus;
          out.push_back({source.name, protocol, test.arm, v.other, v.difference, v.standard_error, v.p, v.p_holm,
                         v.effect, v.significant});
        }
      }
    }
    return out;
  });
}

std::vector<TrialResult> Runs::trials() const {
  return guarded([&] {
    std::vector<TrialResult> out;
    for_each_trial(hidden_->store, hidden_->results.plan(),
                   [&](const StoredTrial& trial) { out.push_back(trial_of(trial)); });
    return out;
  });
}

std::size_t Runs::planned_trials() const {
  return guarded([&] { return equipoise::planned_trials(hidden_->results.plan()); });
}

std::vector<UserResults> Runs::per_user() const {
  return guarded([&] {
    const Plan& plan = hidden_->results.plan();
    std::vector<UserResults> out;
    for (const DataSource& source : plan.sources) {
      for (const Arm& arm : plan.arms) {
        for (const StoredTrial& run : hidden_->results.runs(source.name, arm.name)) {
          for (const StoredEvaluation& e : run.evaluations) {
            out.push_back({source.name, arm.name, e.protocol, run.seed, e.users, e.per_user});
          }
        }
      }
    }
    return out;
  });
}

std::vector<std::string> Runs::findings() const { return hidden_->results.plan().findings; }

}  // namespace equipoise
