// Flags into plans, linted and run.
#include "plan_verb.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "compare/runner.h"
#include "compare/search.h"
#include "core/error.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/text.h"
#include "doctor/lint.h"

namespace equipoise::cli {

namespace {

// The settings of training that a plan does not decide by itself.
Params training_flags(TrainParams& train) {
  Params all;
  train.describe(all);
  return all.without({"seed", "metric", "metric_k", "checkpoint_seconds"});
}

void check_protocols(const std::vector<std::string>& protocols) {
  for (const std::string& protocol : protocols) parse_protocol(protocol);
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const LintRule& rule : lint_rules()) names.push_back(rule.name);
  return names;
}

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("-_./=:,+@").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::vector<std::string> listed(const std::string& list) {
  std::vector<std::string> out;
  for (const std::string& word : split(list, ',')) {
    const std::string plain(trim(word));
    if (!plain.empty() && std::find(out.begin(), out.end(), plain) == out.end()) out.push_back(plain);
  }
  return out;
}

void add_new(const std::vector<std::string>& more, std::vector<std::string>& list) {
  for (const std::string& word : more) {
    if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
  }
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::string> parts = split(all, '\0');
  if (!parts.empty() && parts.back().empty()) parts.pop_back();
  if (parts.empty()) return "equipoise";
  parts.front() = "equipoise";
  for (std::string& part : parts) part = shell_word(part);
  std::string out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.starts_with("EQUIPOISE_") && !text.starts_with("EQUIPOISE_DATA=")) {
      const std::size_t at = text.find('=');
      out += fmt::format("{}={} ", text.substr(0, at), shell_word(std::string(text.substr(at + 1))));
    }
  }
  return out + join(parts, " ");
}

PlanVerb::PlanVerb(CLI::App& app, const std::string& name, const std::string& sentence, const std::string& example,
                   const Plan& defaults, const std::string& default_bases)
    : Verb(app, name, sentence, example), plan_(defaults), bases_(default_bases) {
  this->app()
      .add_option("--out", out_, "the folder of the run store; a command that was stopped goes on there")
      ->required()
      ->type_name("RUNS");
  this->app()
      .add_option("--values", values_, "values that a search tries for a parameter; may be repeated")
      ->type_name("NAME=A,B,...")
      ->allow_extra_args(false);
  Params params;
  describe(params);
  add_flags(params, "Options");
  TrainParams train;
  add_flags(training_flags(train), "Training (what is given is not searched)");
}

void PlanVerb::describe(Params& p) {
  p("bases", bases_, "the base models, with commas between");
  p("seeds", plan_.seeds, "fresh runs of each chosen setting", between(1, 1000));
  p("budget", plan_.budget, "settings tried for each arm; the first is the defaults", between(1, 100000));
  p("search", plan_.search,
    "grid tries the values that parameters declare, random numbers between them, halving the same in rungs: few epochs "
    "for all, more for the best third",
    one_of({"grid", "random", "halving"}));
  p("space", plan_.space, "whose values: those that parameters declare, or the paper's grid",
    one_of({"declared", "paper"}));
  p("metric", plan_.metric, "settings are chosen by it on the validation part, and it is what is tested");
  p("k", plan_.k, "length of the list that ranking metrics look at", between(1, kMostPlaces));
  p("protocols", protocols_,
    "test-items, sampled:N, full, with commas between, side by side; empty: each data set's own");
  p("replicates", plan_.replicates, "resamples of users behind intervals and tests", between(2, 100000));
  p("seed", plan_.seed, "the search trains with it, the final runs with those that follow");
  p("allow", allow_, "rules of the linter that warn instead of refusing, with commas between, or all");
}

std::vector<std::string> PlanVerb::bases() const {
  std::vector<std::string> names = listed(bases_);
  if (names.empty()) throw UsageError("--bases names no base model");
  return names;
}

void PlanVerb::read_flags() {
  Params params;
  describe(params);
  apply(params);
  find_metric(plan_.metric);
  plan_.protocols = listed(protocols_);
  check_protocols(plan_.protocols);
  for (const std::string& text : values_) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos) throw UsageError(fmt::format("--values takes name=a,b,c, got '{}'", text));
    std::string name = text.substr(0, at);
    std::replace(name.begin(), name.end(), '-', '_');
    const std::vector<std::string> list = listed(text.substr(at + 1));
    if (list.empty()) throw UsageError(fmt::format("--values {}: no value", name));
    std::erase_if(plan_.values, [&](const auto& given) { return given.first == name; });  // the last one counts
    plan_.values.emplace_back(name, join(list, ","));
  }
  plan_.command = command_line();
}

void PlanVerb::add_folder(const std::string& folder, std::vector<DataSource>& sources) {
  const Dataset data = read_dataset(folder);
  for (const DataSource& other : sources) {
    if (other.name == data.name) {
      throw UsageError(fmt::format("{} and {} are both called '{}'; give one another name in its dataset.toml",
                                   other.folder, folder, data.name));
    }
  }
  sources.push_back({data.name, folder, {}, 1, kNoX, data.fingerprint()});
}

// What was given as a flag or by --set is the same for every arm that has such a parameter, and is not searched.
void PlanVerb::fix_settings() {
  for (Arm& arm : plan_.arms) {
    const Settings own = arm.fixed;
    Candidate candidate(arm, {});
    Params train = training_flags(candidate.train);
    for (Params* params : {&train, &candidate.recipe->params()}) {
      for (const auto& [name, value] : given_for(*params)) {
        const auto same = [&, key = name](const auto& entry) { return entry.first == key; };
        if (std::any_of(own.begin(), own.end(), same)) {
          throw UsageError(fmt::format("{} is what the arm {} is made of; it cannot be given", name, arm.name));
        }
        std::erase_if(arm.fixed, same);  // given more than once: the strongest comes last
        arm.fixed.emplace_back(name, value);
      }
    }
  }
  refuse_leftovers(app().get_name());
}

void PlanVerb::check_values() const {
  for (const auto& [name, list] : plan_.values) {
    bool known = false;
    for (const Arm& arm : plan_.arms) {
      Candidate candidate(arm, {});
      Params train = training_flags(candidate.train);
      for (Params* params : {&train, &candidate.recipe->params()}) {
        if (params->find(name) == nullptr) continue;
        const auto same = [&, key = name](const auto& entry) { return entry.first == key; };
        if (std::any_of(arm.fixed.begin(), arm.fixed.end(), same)) {
          throw UsageError(fmt::format("--values: {} is fixed for {} and not searched", name, arm.name));
        }
        known = true;
        for (const std::string& value : listed(list)) params->set(name, value, "--values");
      }
    }
    if (!known) throw UsageError(fmt::format("--values: no arm has a parameter '{}'", name));
  }
}

void PlanVerb::lint_sources(DataShelf& shelf) {
  LintOptions options;
  options.protocols = plan_.protocols;
  options.metrics = {plan_.metric};
  options.choice = plan_.metric;
  options.k = plan_.k;
  for (const Arm& arm : plan_.arms) {
    options.methods.push_back(arm.method);
    for (const Dimension& dimension : dimensions(arm, plan_)) {
      if (dimension.name == "propensity") add_new(dimension.values, options.propensities);
    }
    Candidate candidate(arm, {});
    const Param* propensity = candidate.recipe->params().find("propensity");
    if (propensity != nullptr) add_new({propensity->text()}, options.propensities);
  }
  std::vector<std::string> allowed = listed(allow_);
  if (std::find(allowed.begin(), allowed.end(), "all") != allowed.end()) allowed = rule_names();
  std::string refused;
  int refusals = 0;
  for (const DataSource& source : plan_.sources) {
    for (const LintFinding& finding : allow(lint(shelf.get(source, plan_.seed), options), allowed)) {
      const std::string line = fmt::format("{} [{}]: {}", source.name, finding.rule, finding.sentence);
      warn(line);
      plan_.findings.push_back(line);
      if (finding.refuses && refusals++ == 0) refused = fmt::format("{} [{}]", source.name, finding.rule);
    }
  }
  if (refusals == 0) return;
  throw CheckError(
      fmt::format("{} of these findings would make the comparison worthless, first {}; mend the data, or go "
                  "on with --allow RULE",
                  refusals, refused));
}

// What only trained models show. Simulated logs differ from run to run, and so does what one answer would get.
void PlanVerb::warn_of_accuracy(const Results& results, DataShelf& shelf) const {
  for (const DataSource& source : plan_.sources) {
    if (source.simulated) continue;
    for (const std::string& protocol : results.protocols(source.name)) {
      for (const Cell& cell : results.cells(source.name, protocol, "acc")) {
        if (cell.runs == 0) continue;
        const auto finding = lint_accuracy(shelf.get(source, plan_.seed), protocol, cell.arm, cell.mean);
        if (finding) warn(fmt::format("{} [{}]: {}", source.name, finding->rule, finding->sentence));
      }
    }
  }
}

void PlanVerb::run_and_print() {
  fix_settings();
  check_values();
  DataShelf shelf;
  lint_sources(shelf);
  RunStore store = RunStore::create(out_, plan_);
  note(fmt::format("{}: {} trials, {} at a time; {} arms, budget {}, {} seeds, {} search", out_,
                   thousands(static_cast<std::int64_t>(planned_trials(plan_))), pool().threads(), plan_.arms.size(),
                   plan_.budget, plan_.seeds, plan_.search));
  catch_interrupts();
  run_plan(plan_, store, shelf, pool());
  const Results results(store);
  warn_of_accuracy(results, shelf);
  if (common().json)
    print_json(results_json(results));
  else
    print_results(results);
  note(fmt::format("all runs are in {}; equipoise report {} --out report.html draws them", out_, out_));
}

}  // namespace equipoise::cli
