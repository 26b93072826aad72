// The studies: each adds its sources and arms to a plan.
#include "compare/studies.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace equipoise {

namespace {

const Settings kNoBalance = {{"balance", "none"}};
const Settings kNoConfounder = {{"confounder", "false"}};
// Distances of means are of the size of embeddings, an adversary's cross-entropy is of the size of log N: see
// docs/decisions/balance-scale.md.
constexpr const char* kDistanceWeight = "1";

Settings both(Settings a, const Settings& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Settings weighted(const char* power) { return {{"item_weight_power", power}}; }
Settings by_distance(const char* balance) { return {{"balance", balance}, {"gamma", kDistanceWeight}}; }

// A variant of CBR on every base model. What a study takes apart is fixed in every arm of it.
void add(Plan& plan, const StudySubject& subject, const std::string& name, const std::string& method,
         const Settings& fixed) {
  for (const std::string& base : subject.bases) {
    const std::string title = fmt::format("{} {}", name, base);
    plan.arms.push_back({title, method, base, fixed, title, kNoX});
  }
}

void add_cbr(Plan& plan, const StudySubject& subject, const std::string& name, Settings fixed) {
  for (const auto& [parameter, value] : Settings{{"item_weight_power", "0"}, {"balance", "adversarial"}}) {
    const auto same = [&, key = parameter](const auto& entry) { return entry.first == key; };
    if (std::none_of(fixed.begin(), fixed.end(), same)) fixed.emplace_back(parameter, value);
  }
  add(plan, subject, name, "cbr", fixed);
}

std::string law_name(const SimulateParams& params) {
  return fmt::format("simulated, {} users", thousands(params.users));
}

void add_sources(Plan& plan, const StudySubject& subject) {
  plan.sources = subject.sources;
  if (plan.sources.empty()) plan.sources.push_back({law_name(subject.simulated), "", subject.simulated, 1, kNoX, ""});
}

// Every table has the baselines.
void add_baselines(Plan& plan) {
  for (const std::string& name : baselines()) plan.arms.push_back({name, name, "", {}, name, kNoX});
}

// What every axis shows: the base model, the best-known rival, CBR and its two controls.
void add_curves(Plan& plan, const StudySubject& subject) {
  add_baselines(plan);
  add(plan, subject, "base", "base", {});
  add(plan, subject, "snips", "snips", {});
  add_cbr(plan, subject, "φ + z", kNoBalance);
  add_cbr(plan, subject, "CBR(-g)", kNoConfounder);
  add_cbr(plan, subject, "CBR", {});
}

void ablation(const StudySubject& subject, Plan& plan) {
  add_sources(plan, subject);
  const Settings plain = both(kNoConfounder, kNoBalance);
  add_baselines(plan);
  add(plan, subject, "base", "base", {});
  add_cbr(plan, subject, "base + weights", both(plain, both(weighted("1"), {{"projection", "false"}})));
  add_cbr(plan, subject, "φ only", plain);
  add_cbr(plan, subject, "φ + z", kNoBalance);
  add_cbr(plan, subject, "φ + z + weights", both(kNoBalance, weighted("1")));
  add_cbr(plan, subject, "CBR(-g)", kNoConfounder);
  add_cbr(plan, subject, "CBR(-g), all-pairs", both(kNoConfounder, by_distance("all-pairs")));
  add_cbr(plan, subject, "CBR", {});
  add_cbr(plan, subject, "CBR, confusion", {{"adversary", "confusion"}});
  add_cbr(plan, subject, "CBR, clipping", by_distance("clipping"));
  add_cbr(plan, subject, "CBR, sampling", by_distance("sampling"));
  add_cbr(plan, subject, "CBR, all-pairs", by_distance("all-pairs"));
  // The paper's preset, but for the bias terms: those would be an ablation of their own.
  add_cbr(plan, subject, "CBR as printed", weighted("1"));
}

void pairs(const StudySubject& subject, Plan& plan) {
  add_sources(plan, subject);
  plan.x_name = "item pairs (K1, K2)";
  add_baselines(plan);
  add(plan, subject, "base", "base", {});
  add_cbr(plan, subject, "CBR, adversarial", {});
  add_cbr(plan, subject, "CBR, all-pairs", by_distance("all-pairs"));
  for (const auto& [balance, parameter] : Settings{{"clipping", "clipped_pairs"}, {"sampling", "sampled_pairs"}}) {
    for (const int count : {5, 10, 15, 20, 25, 30}) {
      const std::size_t first = plan.arms.size();
      add_cbr(plan, subject, fmt::format("{} {}", balance, count),
              both(by_distance(balance.c_str()), {{parameter, std::to_string(count)}}));
      for (std::size_t a = first; a < plan.arms.size(); ++a) {
        plan.arms[a].series = fmt::format("{} {}", balance, plan.arms[a].base);
        plan.arms[a].x = count;
      }
    }
  }
}

// One law of the simulator for each value of what is varied.
void vary(const StudySubject& subject, Plan& plan, const char* letter, double SimulateParams::*field,
          const std::vector<double>& values) {
  plan.x_name = letter;
  for (const double value : values) {
    SimulateParams law = subject.simulated;
    law.*field = value;
    plan.sources.push_back({fmt::format("{} = {}", letter, value), "", law, 1, value, ""});
  }
  add_curves(plan, subject);
}

void bias(const StudySubject& subject, Plan& plan) {
  vary(subject, plan, "α", &SimulateParams::alpha, {0, 0.1, 0.3, 0.5, 0.7, 1});
}

void confounder(const StudySubject& subject, Plan& plan) {
  vary(subject, plan, "β", &SimulateParams::beta, {0, 0.3, 0.5, 0.7, 1});
}

void sparsity(const StudySubject& subject, Plan& plan) {
  add_sources(plan, subject);
  plan.x_name = "τ";
  std::vector<DataSource> all;
  for (const DataSource& source : plan.sources) {
    for (const double share : {0.1, 0.3, 0.5, 0.7, 1.0}) {
      DataSource part = source;
      part.name = fmt::format("{}τ = {}", plan.sources.size() > 1 ? source.name + ", " : "", share);
      part.keep = part.x = share;
      all.push_back(std::move(part));
    }
  }
  plan.sources = std::move(all);
  add_curves(plan, subject);
}

// Validation chooses how much is balanced: distances of means are of the size of embeddings.
void balance(const StudySubject& subject, Plan& plan) {
  add_balance_sources(plan, subject.grid, subject.sources, subject.simulated);
  add_balance_arms(plan, subject.grid, subject.bases);
  const auto given = [](const auto& entry) { return entry.first == "gamma"; };
  const bool told = std::any_of(plan.values.begin(), plan.values.end(), given);
  if (plan.budget > 1 && !told) plan.values.emplace_back("gamma", "0.1,1,10");
}

}  // namespace

const std::vector<StudyEntry>& studies() {
  static const std::vector<StudyEntry> table = {
      {"ablation", "CBR taken apart: each part alone and together, with controls", true, "", ablation},
      {"pairs", "how many item pairs clipping (K1) and sampling (K2) need", true, "", pairs},
      {"bias", "simulated logs from fully biased (α = 0) to random (α = 1)", false, "alpha", bias},
      {"confounder", "simulated logs with a hidden confounder of weight β from 0 to 1", false, "beta", confounder},
      {"sparsity", "shares τ of the train rows from 0.1 to 1", true, "", sparsity},
      {kBalanceStudy,
       "forms of balancing with their controls, over strengths of exposure and widths of the model; a data set's test "
       "part must have every pair of its users and items",
       true, "strength", balance},
  };
  return table;
}

Plan study_defaults() {
  Plan plan;
  plan.budget = 4;
  plan.seeds = 3;
  plan.k = 3;  // simulated lists have 5 items
  return plan;
}

Params study_simulation(SimulateParams& simulated) {
  Params all;
  simulated.describe(all);
  return all.without({"seed", "truth", "features", "chances"});
}

void take_study_params(const StudyEntry& study, StudySubject& subject, Given& given) {
  Params simulation = study_simulation(subject.simulated).without({study.varies});
  given.apply(simulation);
  if (study.name != std::string(kBalanceStudy)) return;
  Params grid;
  subject.grid.describe(grid);
  given.apply(grid);
}

const StudyEntry& find_study(const std::string& name) {
  std::vector<std::string> known;
  for (const StudyEntry& entry : studies()) {
    if (name == entry.name) return entry;
    known.emplace_back(entry.name);
  }
  throw UsageError(fmt::format("there is no study '{}'{}", name, suggest(name, known)));
}

// What follows a plus sign is fixed in the arm: base+history=none.
std::vector<Arm> arms_of(const std::vector<std::string>& methods, const std::vector<std::string>& bases) {
  std::vector<Arm> baselines, arms;
  for (const std::string& word : methods) {
    const std::vector<std::string> parts = split(word, '+');
    const std::string& method = parts.front();
    Settings fixed;
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const std::size_t at = parts[k].find('=');
      if (at == std::string::npos) {
        throw UsageError(fmt::format("methods: expected {}+name=value, got '{}'", method, word));
      }
      std::string name = parts[k].substr(0, at);
      std::replace(name.begin(), name.end(), '-', '_');
      fixed.emplace_back(name, parts[k].substr(at + 1));
    }
    if (!make_method(method)->needs().base) {
      baselines.push_back({word, method, "", fixed, "", kNoX});
      continue;
    }
    for (const std::string& base : bases) {
      arms.push_back({fmt::format("{} {}", word, base), method, base, fixed, "", kNoX});
      Candidate(arms.back(), {});  // UsageError if it has no such parameter, or not such a value
    }
  }
  baselines.insert(baselines.end(), arms.begin(), arms.end());
  return baselines;
}

}  // namespace equipoise
