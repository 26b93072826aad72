// Reads a store into a report.
#include <algorithm>

#include "compare/choice.h"
#include "report/report.h"

namespace equipoise {

namespace {

void note_error(const StoredTrial& trial, ReportArm& arm) {
  if (!trial.failed) return;
  if (std::find(arm.errors.begin(), arm.errors.end(), trial.error) == arm.errors.end()) {
    arm.errors.push_back(trial.error);
  }
}

// A setting is searched once a rung; the last one, with the most epochs, tells of it.
void add_searched(StoredTrial trial, ReportArm& arm) {
  trial.training = Json();
  for (StoredTrial& known : arm.searched) {
    if (known.key.number != trial.key.number) continue;
    if (known.key.rung < trial.key.rung) known = std::move(trial);
    return;
  }
  arm.searched.push_back(std::move(trial));
}

ReportArm read_arm(const RunStore& store, const Results& results, const std::string& source, const std::string& name) {
  ReportArm arm;
  for (const StoredTrial& trial : store.trials(source, name, kSearch)) {
    if (trial.key.rung == 0) ++(trial.failed ? arm.tried_failed : arm.tried);
    note_error(trial, arm);
    add_searched(trial, arm);
  }
  arm.chosen = chosen_settings(results.plan(), store, source, name).value_or(Settings{});
  arm.runs = results.runs(source, name);
  for (const StoredTrial& run : arm.runs) note_error(run, arm);
  for (StoredTrial& run : arm.runs) {
    for (StoredEvaluation& evaluation : run.evaluations) evaluation.resampled.clear();  // the intervals have them
  }
  return arm;
}

}  // namespace

const ReportArm& Report::at(const std::string& source, const std::string& arm) const {
  static const ReportArm none;
  const auto found = arms.find({source, arm});
  return found == arms.end() ? none : found->second;
}

Report read_report(const RunStore& store) {
  const Results results(store);
  Report out{results.plan(), {}, {}, balance_results(results)};
  for (const DataSource& source : out.plan.sources) {
    for (const std::string& protocol : results.protocols(source.name)) {
      out.tables.push_back({source.name, protocol, results.cells(source.name, protocol, out.plan.metric),
                            results.pair_tests(source.name, protocol, out.plan.metric),
                            results.caption(source.name, protocol)});
    }
    for (const Arm& arm : out.plan.arms) {
      out.arms[{source.name, arm.name}] = read_arm(store, results, source.name, arm.name);
    }
  }
  return out;
}

}  // namespace equipoise
