// What is checked and said before a plan is run, and after it.
#include "compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/runner.h"
#include "compare/search.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/named.h"
#include "core/text.h"
#include "data/random_sample.h"
#include "doctor/lint.h"
#include "eval/protocol.h"
#include "eval/validation.h"
#include "train/trainer.h"

namespace equipoise {

namespace {

bool has(const Settings& settings, const std::string& name) {
  return std::any_of(settings.begin(), settings.end(), [&](const auto& entry) { return entry.first == name; });
}

DataSource named_source(const Dataset& data, const std::string& folder, const std::vector<DataSource>& others) {
  for (const DataSource& other : others) {
    if (other.name != data.name) continue;
    throw UsageError(fmt::format("two data sets are called '{}'{}; give one another name in its dataset.toml",
                                 data.name, folder.empty() ? "" : fmt::format(" ({} and {})", other.folder, folder)));
  }
  return {data.name, folder, {}, 1, kNoX, data.fingerprint()};
}

// Those that a plan does not decide by itself; none where nothing is trained by us.
Params training_of(Candidate& candidate) { return candidate.recipe ? training_params(candidate.train) : Params(); }

PlannedComparison planned_comparison(const Plan& plan) {
  PlannedComparison out;
  out.protocols = plan.protocols;
  out.metrics = {plan.metric};
  out.choice = plan.metric;
  out.k = plan.k;
  for (const Arm& arm : plan.arms) {
    if (arm.outside) continue;  // what it takes from the data is not known
    out.methods.push_back(arm.method);
    for (const Dimension& dimension : dimensions(arm, plan)) {
      if (dimension.name == "propensity") add_new(dimension.values, out.propensities);
    }
    Candidate candidate(arm, {});
    const Param* propensity = candidate.recipe->params().find("propensity");
    if (propensity != nullptr) add_new({propensity->text()}, out.propensities);
  }
  return out;
}

}  // namespace

DataSource Comparison::folder(const std::string& path, const std::vector<DataSource>& others) {
  return named_source(shelf_.folder(path), path, others);
}

DataSource Comparison::data(std::shared_ptr<const Dataset> data, const std::vector<DataSource>& others) {
  DataSource out = named_source(*data, "", others);
  shelf_.put(out.name, std::move(data));
  return out;
}

void Comparison::fix_settings(Given& given) {
  for (Arm& arm : plan.arms) {
    const Settings own = arm.fixed;
    Candidate candidate(arm, {});
    Params train = training_of(candidate);
    for (Params* params : {&train, &candidate.own()}) {
      for (const auto& [name, value] : given.values_for(*params)) {
        if (has(own, name)) {
          throw UsageError(fmt::format("{} is what the arm {} is made of; it cannot be given", name, arm.name));
        }
        std::erase_if(arm.fixed, [&, key = name](const auto& entry) { return entry.first == key; });
        arm.fixed.emplace_back(name, value);
      }
    }
  }
}

// One label says nothing of an item's mean, and nothing of who dislikes what: metrics and arms that need both go. So do
// arms that need a random sample where there is none.
void Comparison::fit_to_data() {
  bool one_label = false, by_lists = false, cut = false;
  for (const DataSource& source : plan.sources) {
    if (source.simulated) continue;
    const Dataset& data = shelf_.get(source, plan.seed);
    one_label = one_label || data.positives_only;
    by_lists = by_lists || count_labels(data.valid).positives_only();
    cut = cut || !not_random(data).empty();
  }
  if (plan.metric == kAutoMetric) plan.metric = by_lists ? "ndcg" : "auc";
  if (by_lists || one_label) say_how_measured();
  if (one_label) {
    leave_out([](const Needs& needs) { return needs.labels; },
              "they need rows of both labels and a log here has positives only");
  }
  if (cut) {
    leave_out([](const Needs& needs) { return needs.random; },
              "they learn from rows shown at random and a validation part here is no random sample");
  }
}

void Comparison::leave_out(FunctionRef<bool(const Needs&)> lacks, const char* why) {
  std::vector<std::string> gone;
  std::erase_if(plan.arms, [&](const Arm& arm) {
    const bool left_out = lacks(Candidate(arm, {}).needs());
    if (left_out) gone.push_back(arm.name);
    return left_out;
  });
  if (gone.empty()) return;
  note(fmt::format("left out, since {}: {}", why, join(gone, ", ")));
}

void Comparison::say_how_measured() {
  for (const DataSource& source : plan.sources) {
    if (source.simulated) continue;
    const Dataset& data = shelf_.get(source, plan.seed);
    const bool lists = count_labels(data.valid).positives_only();
    note(fmt::format("{}: {}settings are chosen by {} on valid, over {}; test is measured under {}", source.name,
                     data.positives_only ? "the log has positives only, what has no row is unknown; " : "",
                     metric_label(plan.metric, plan.k), lists ? "all items but those of train" : "its own items",
                     plan.protocols.empty() ? own_protocol(data, Part::test) : join(plan.protocols, ", ")));
  }
}

void Comparison::grow(const std::string& folder) {
  const std::optional<Plan> stored = RunStore::plan_in(folder);
  if (!stored) return;
  const std::vector<DataSource> given = plan.sources;
  plan = grown(*stored, plan, folder);
  for (const DataSource& source : plan.sources) {
    const auto same = [&](const DataSource& other) { return other.name == source.name; };
    if (source.simulated || std::any_of(given.begin(), given.end(), same)) continue;
    if (source.folder.empty() || shelf_.folder(source.folder).fingerprint() != source.fingerprint) {
      throw UsageError(
          fmt::format("{}: holds runs on the data set '{}', which is not among the data given and is not "
                      "in {} any more",
                      folder, source.name, source.folder.empty() ? "a folder" : source.folder));
    }
  }
  check_labels_of(folder);
  check_outside(folder);
}

// Before the longer plan is kept: an outside method of the store must be here where some of its trials are not.
void Comparison::check_outside(const std::string& folder) const {
  const RunStore store = RunStore::open(folder);
  for (const Arm& arm : plan.arms) {
    if (!arm.outside || outside_.find(arm.method) != nullptr || all_done(plan, store, arm)) continue;
    throw UsageError(
        fmt::format("{}: holds runs of the outside method '{}', some are still to be run, and it is not among the "
                    "methods given; give it again, or choose another folder",
                    folder, arm.name));
  }
}

// Before the longer plan is kept: an arm of the store may need labels that new data do not have.
void Comparison::check_labels_of(const std::string& folder) {
  for (const DataSource& source : plan.sources) {
    if (source.simulated || !shelf_.get(source, plan.seed).positives_only) continue;
    for (const Arm& arm : plan.arms) {
      if (!Candidate(arm, {}).needs().labels) continue;
      throw UsageError(fmt::format(
          "{}: holds runs of {}, which needs rows of both labels, and {} has positives only; choose another "
          "folder",
          folder, arm.name, source.name));
    }
  }
}

// A setting that is too short for its warm-up is a failed trial; an arm of which every setting is, is a mistake.
void Comparison::check_warm_ups() const {
  for (const Arm& arm : plan.arms) {
    const Candidate candidate(arm, {});
    if (!candidate.recipe) continue;
    const Method& method = candidate.recipe->method();
    bool some = false;
    for (const Dimension& dimension : plan.budget > 1 ? dimensions(arm, plan) : std::vector<Dimension>{}) {
      if (dimension.name != method.warm_up_parameter()) continue;
      for (const std::string& value : dimension.values) {
        some = some || parse_double(value).value_or(candidate.train.epochs) < candidate.train.epochs;
      }
    }
    if (!some) check_epochs(method, candidate.train);
  }
}

void Comparison::check_values() const {
  for (const auto& [name, list] : plan.values) {
    bool known = false;
    for (const Arm& arm : plan.arms) {
      Candidate candidate(arm, {});
      Params train = training_of(candidate);
      for (Params* params : {&train, &candidate.own()}) {
        if (params->find(name) == nullptr) continue;
        if (has(arm.fixed, name)) {
          throw UsageError(fmt::format("values: {} is fixed for {} and not searched", name, arm.name));
        }
        known = true;
        for (const std::string& value : listed(list)) params->set(name, value, "values");
      }
    }
    if (!known) throw UsageError(fmt::format("values: no arm has a parameter '{}'", name));
  }
  check_warm_ups();
}

std::vector<SourceFinding> Comparison::findings(const std::string& allow) {
  const PlannedComparison planned = planned_comparison(plan);
  std::vector<std::string> allowed = listed(allow);
  if (std::find(allowed.begin(), allowed.end(), "all") != allowed.end()) allowed = names_of(lint_rules());
  std::vector<SourceFinding> out;
  for (const DataSource& source : plan.sources) {
    for (LintFinding& finding : equipoise::allow(equipoise::lint(shelf_.get(source, plan.seed), planned), allowed)) {
      out.push_back({source.name, std::move(finding)});
    }
  }
  return out;
}

void Comparison::lint(const std::string& allow) {
  std::string refused;
  int refusals = 0;
  for (const auto& [source, finding] : findings(allow)) {
    const std::string line = fmt::format("{} [{}]: {}", source, finding.rule, finding.sentence);
    warn(line);
    plan.findings.push_back(line);
    if (finding.refuses && refusals++ == 0) refused = fmt::format("{} [{}]", source, finding.rule);
  }
  if (refusals == 0) return;
  throw CheckError(
      fmt::format("{} of these findings would make the comparison worthless, first {}; correct the data, or "
                  "allow the rule to go on",
                  refusals, refused));
}

void Comparison::add(OutsideArm method) { plan.arms.push_back(outside_.add(std::move(method), plan.arms)); }

RunStore Comparison::run(const std::string& folder) {
  RunStore store = RunStore::create(folder, plan);
  note(fmt::format("{}: {} trials, {} at a time{}; {} arms, budget {}, {} seeds, {} search", folder,
                   thousands(static_cast<std::int64_t>(planned_trials(plan))), pool_.threads(),
                   ranks_.alone() ? "" : fmt::format(" on each of {} ranks", ranks_.size()), plan.arms.size(),
                   plan.budget, plan.seeds, plan.search));
  run_plan(plan, store, shelf_, pool_, outside_, ranks_);
  return store;
}

void Comparison::help() { help_run_plan(ranks_, shelf_, pool_); }

// Simulated logs differ from run to run, and so does what one answer would get.
void Comparison::warn_of_accuracy(const Results& results) {
  for (const DataSource& source : plan.sources) {
    if (source.simulated) continue;
    for (const std::string& protocol : results.protocols(source.name)) {
      for (const Cell& cell : results.cells(source.name, protocol, "acc")) {
        if (cell.runs == 0) continue;
        const auto finding = lint_accuracy(shelf_.get(source, plan.seed), protocol, cell.arm, cell.mean);
        if (finding) warn(fmt::format("{} [{}]: {}", source.name, finding->rule, finding->sentence));
      }
    }
  }
}

std::vector<std::string> methods_to_compare(const std::string& asked) {
  std::vector<std::string> names = baselines(), more;
  for (const std::string& name : listed(asked.empty() ? "all" : asked)) {
    if (name == "all")
      add_new(names_of(methods()), more);
    else
      more.push_back(name);
  }
  // The arm that others are compared with, unless one of base is asked for.
  const auto of_base = [](const std::string& name) { return name.starts_with("base+"); };
  if (std::none_of(more.begin(), more.end(), of_base)) names.emplace_back("base");
  add_new(more, names);
  return names;
}

}  // namespace equipoise
