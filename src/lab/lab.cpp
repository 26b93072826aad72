// The public face of comparisons and studies.
#include "equipoise/lab.h"

#include "api/hidden.h"
#include "api/inventory.h"
#include "compare/choice.h"
#include "compare/comparison.h"
#include "compare/results_json.h"
#include "compare/studies.h"
#include "lab/hidden_runs.h"
#include "lab/inventory.h"
#include "lab/outside_method.h"
#include "report/doctor_page.h"
#include "report/report.h"
#include "report/value_page.h"

namespace equipoise {

Runs::Runs(std::shared_ptr<const Hidden> hidden) : hidden_(std::move(hidden)) {}

Runs Runs::open(const std::string& folder) {
  return guarded([&] { return Runs(std::make_shared<const Hidden>(RunStore::open(folder))); });
}

namespace {

/// Fixes what is not the plan's own.
void fix(Comparison& comparison, Given& given, const LabOptions& options) {
  for (const std::string& text : options.values) set_values(text, comparison.plan);
  comparison.fix_settings(given);
  given.refuse_leftovers("the comparison", elsewhere(all_groups()));
  comparison.fit_to_data();
}

/// Lints and runs.
void run(Comparison& comparison, Given& given, const PlanParams& params, const LabOptions& options) {
  if (options.out.empty()) throw UsageError("a comparison needs the folder of its run store (out)");
  fix(comparison, given, options);
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

/// The data and arms of a comparison into its plan.
PlanParams filled(const std::vector<Data>& data, const LabOptions& options, Given& given, Comparison& comparison) {
  if (data.empty()) throw UsageError("a comparison needs a data set");
  PlanParams params = taken(given, PlanParams());
  params.fill(comparison.plan);
  comparison.plan.arms = arms_of(methods_to_compare(options.methods), params.base_names());
  for (const OutsideMethod& method : options.outside) comparison.add(arm_of(method));
  auto& sources = comparison.plan.sources;
  for (const Data& one : data) sources.push_back(comparison.data(Access::data(one), sources));
  return params;
}

}  // namespace

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
std::string Runs::fragment() const {
  return guarded([&] { return report_fragment(read_report(hidden_->store)); });
}
std::string Runs::markdown() const {
  return guarded([&] { return report_markdown(read_report(hidden_->store)); });
}
std::string Runs::latex() const {
  return guarded([&] { return report_latex(read_report(hidden_->store)); });
}
std::size_t Runs::write_figures(const std::string& folder) const {
  return guarded([&] { return equipoise::write_figures(report_figures(read_report(hidden_->store)), folder, false); });
}

std::string doctor_page(const std::string& json) {
  return guarded([&] { return doctor_html(parse_json(json, "the diagnosis"), ""); });
}
std::string doctor_element(const std::string& json) {
  return guarded([&] { return doctor_fragment(parse_json(json, "the diagnosis")); });
}
std::string value_page(const std::string& json) {
  return guarded([&] { return value_html(parse_json(json, "the valuation")); });
}
std::string value_element(const std::string& json) {
  return guarded([&] { return value_fragment(parse_json(json, "the valuation")); });
}

Runs compare(const std::vector<Data>& data, const LabOptions& options) {
  return guarded(options.callbacks, [&] {
    Pool pool(options.threads);
    Comparison comparison({}, pool);
    Given given = given_of(options.parameters);
    const PlanParams params = filled(data, options, given, comparison);
    run(comparison, given, params, options);
    return Runs::open(options.out);
  });
}

std::vector<Finding> lint(const std::vector<Data>& data, const LabOptions& options) {
  return guarded(options.callbacks, [&] {
    Pool pool(options.threads);
    Comparison comparison({}, pool);
    Given given = given_of(options.parameters);
    const PlanParams params = filled(data, options, given, comparison);
    fix(comparison, given, options);
    std::vector<Finding> out;
    for (auto& [source, found] : comparison.findings(params.allow)) {
      out.push_back({source, found.rule, found.sentence, found.refuses});
    }
    return out;
  });
}

Runs study(const std::string& name, const std::vector<Data>& data, const LabOptions& options) {
  return guarded(options.callbacks, [&] {
    const StudyEntry& entry = find_study(name);
    if (options.methods != "all" || !options.outside.empty()) {
      throw UsageError("a study has methods of its own (methods was given)");
    }
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
    take_study_params(entry, request, given);
    for (const Data& one : data) request.sources.push_back(comparison.data(Access::data(one), request.sources));
    comparison.plan.kind = entry.name;
    entry.fill(request, comparison.plan);
    run(comparison, given, params, options);
    return Runs::open(options.out);
  });
}

std::vector<std::string> study_names() {
  std::vector<std::string> out;
  for (const StudyEntry& entry : studies()) out.emplace_back(entry.name);
  return out;
}

std::vector<ParameterGroup> lab_parameter_groups() {
  return guarded([] {
    std::vector<ParameterGroup> out;
    for (const ParamGroup& group : lab_groups()) out.push_back(public_group(group));
    return out;
  });
}

}  // namespace equipoise
