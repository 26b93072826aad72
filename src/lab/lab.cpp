// The public face of comparisons and studies.
#include "equipoise/lab.h"

#include <cmath>

#include "api/hidden.h"
#include "api/inventory.h"
#include "compare/choice.h"
#include "compare/comparison.h"
#include "compare/results_json.h"
#include "compare/studies.h"
#include "lab/inventory.h"
#include "report/report.h"

namespace equipoise {

struct Runs::Hidden {
  explicit Hidden(RunStore opened) : store(std::move(opened)), results(store) {}

  RunStore store;
  Results results;
};

Runs::Runs(std::shared_ptr<const Hidden> hidden) : hidden_(std::move(hidden)) {}

Runs Runs::open(const std::string& folder) {
  return guarded([&] { return Runs(std::make_shared<const Hidden>(RunStore::open(folder))); });
}

namespace {

ArmResult result_of(const Cell& cell) {
  const double none = std::nan("");
  ArmResult out{cell.source, cell.arm,  cell.protocol, cell.metric, cell.runs, cell.mean, cell.standard_error,
                cell.low,    cell.high, none,          none,        none,      none,      false};
  if (!cell.base) return out;
  out.difference = cell.base->difference;
  out.p = cell.base->p;
  out.p_holm = cell.base->p_holm;
  out.effect = cell.base->effect;
  out.significant = cell.base->significant;
  return out;
}

/// Fixes what is not the plan's own, lints and runs.
void run(Comparison& comparison, Given& given, const PlanParams& params, const LabOptions& options) {
  if (options.out.empty()) throw UsageError("a comparison needs the folder of its run store (out)");
  for (const std::string& text : options.values) set_values(text, comparison.plan);
  comparison.fix_settings(given);
  given.refuse_leftovers("the comparison", elsewhere(all_groups()));
  comparison.fit_to_data();
  comparison.grow(options.out);
  comparison.check_values();
  comparison.lint(params.allow);
  comparison.warn_of_accuracy(Results(comparison.run(options.out)));
}

/// The plan's own parameters of what was given.
PlanParams taken(Given& given, PlanParams params) {
  Params list;
  params.describe(list);
  given.apply(list);
  return params;
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

TrainOptions Runs::chosen(const std::string& arm, const std::string& data) const {
  return guarded([&] {
    const ChosenRun run = chosen_run(hidden_->store, data, arm);
    TrainOptions out;
    out.method = run.arm.method;
    out.base = run.arm.base;
    for (const auto& [name, value] : run.settings) out.parameters[name] = value;
    return out;
  });
}

std::string Runs::results_json() const {
  return guarded([&] { return equipoise::results_json(hidden_->results).dump(); });
}
std::string Runs::trials_json() const {
  return guarded([&] { return equipoise::trials_json(hidden_->store).dump(); });
}
std::string Runs::html() const {
  return guarded([&] { return report_html(read_report(hidden_->store)); });
}
std::string Runs::markdown() const {
  return guarded([&] { return report_markdown(read_report(hidden_->store)); });
}
std::string Runs::latex() const {
  return guarded([&] { return report_latex(read_report(hidden_->store)); });
}

Runs compare(const std::vector<Data>& data, const LabOptions& options) {
  return guarded(options.callbacks, [&] {
    if (data.empty()) throw UsageError("a comparison needs a data set");
    Pool pool(options.threads);
    Comparison comparison({}, pool);
    Given given = given_of(options.parameters);
    const PlanParams params = taken(given, PlanParams());
    params.fill(comparison.plan);
    comparison.plan.arms = arms_of(methods_to_compare(options.methods), params.base_names());
    auto& sources = comparison.plan.sources;
    for (const Data& one : data) sources.push_back(comparison.data(Access::data(one), sources));
    run(comparison, given, params, options);
    return Runs::open(options.out);
  });
}

Runs study(const std::string& name, const std::vector<Data>& data, const LabOptions& options) {
  return guarded(options.callbacks, [&] {
    const StudyEntry& entry = find_study(name);
    if (options.methods != "all") throw UsageError("a study has methods of its own (methods was given)");
    if (!data.empty() && !entry.takes_data) {
      throw UsageError("the study " + name + " varies the simulator and takes no data set");
    }
    Pool pool(options.threads);
    Comparison comparison({}, pool);
    Given given = given_of(options.parameters);
    comparison.plan = study_defaults();
    const PlanParams params = taken(given, PlanParams(comparison.plan, kStudyBases));
    params.fill(comparison.plan);
    StudySubject request{params.base_names(), {}, {}};
    Params simulation = study_simulation(request.simulated).without({entry.varies});
    given.apply(simulation);
    for (const Data& one : data) request.sources.push_back(comparison.data(Access::data(one), request.sources));
    comparison.plan.kind = entry.name;
    entry.fill(request, comparison.plan);
    run(comparison, given, params, options);
    return Runs::open(options.out);
  });
}

std::vector<ParameterGroup> lab_parameter_groups() {
  return guarded([] {
    std::vector<ParameterGroup> out;
    for (const ParamGroup& group : lab_groups()) out.push_back(public_group(group));
    return out;
  });
}

}  // namespace equipoise
