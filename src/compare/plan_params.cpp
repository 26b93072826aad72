// From what a user tells to a plan.
#include "compare/plan_params.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "eval/evaluation.h"
#include "eval/validation.h"

namespace equipoise {

PlanParams::PlanParams(const Plan& defaults, std::string base_models)
    : bases(std::move(base_models)),
      search(defaults.search),
      space(defaults.space),
      metric(kAutoMetric),
      ndcg_empty(defaults.ndcg_empty),
      seeds(defaults.seeds),
      budget(defaults.budget),
      finalists(defaults.finalists),
      replicates(defaults.replicates),
      k(defaults.all_k()),
      seed(defaults.seed) {}

void PlanParams::describe(Params& p) {
  p("bases", bases, "the base models, with commas between");
  p("seeds", seeds, "fresh runs of each chosen setting", between(1, 1000));
  p("seed_list", seed_list, "the seeds of those runs, with commas between, in place of how many; empty: seed + 1, …",
    at_least(0));
  p("budget", budget, "settings tried for each arm; the first is the defaults", between(1, 100000));
  p("finalists", finalists,
    "settings that are best on valid and are run on two more seeds there; the best on average is chosen (0 or 1 = the "
    "best of one run)",
    between(0, 1000));
  p("search", search,
    "grid tries the values that parameters declare, random numbers between them, halving the same in rungs: few epochs "
    "for all, more for the best third",
    one_of({"grid", "random", "halving"}));
  p("space", space, "whose values: those that parameters declare, or the paper's grid", one_of({"declared", "paper"}));
  p("metric", metric,
    "settings are chosen by it on the validation part, and it is what is tested; auto: auc, or ndcg where a validation "
    "part has positives only");
  p("k", k, "lengths of the list that ranking metrics look at, with commas between; the first chooses and is tested",
    between(1, kMostPlaces));
  p("ndcg_empty", ndcg_empty, "users without a positive: left out of NDCG, or counted as 1 as some publications do",
    one_of({kEmptyLeftOut, kEmptyIsOne}));
  p("protocols", protocols,
    "test-items, sampled:N, full, with commas between, side by side; empty: each test part's own");
  p("replicates", replicates, "resamples of users behind intervals and tests", between(2, 100000));
  p("seed", seed, "the search trains with it, the final runs with those that follow");
  p("allow", allow, "rules of the linter that warn instead of refusing, with commas between, or all");
}

void PlanParams::fill(Plan& plan) const {
  if (metric != kAutoMetric) find_metric(metric);
  if (k.empty()) throw UsageError("k names no length of a list");
  plan.search = search;
  plan.space = space;
  plan.metric = metric;
  plan.seeds = seed_list.empty() ? seeds : static_cast<int>(seed_list.size());
  plan.seed_list.clear();
  for (const int one : seed_list) {
    if (std::count(seed_list.begin(), seed_list.end(), one) > 1) {
      throw UsageError(fmt::format("seed_list: {} is there twice; the same seed gives the same run", one));
    }
    plan.seed_list.push_back(static_cast<std::uint64_t>(one));
  }
  plan.budget = budget;
  plan.finalists = finalists;
  plan.k = k.front();
  plan.more_k.assign(k.begin() + 1, k.end());
  plan.ndcg_empty = ndcg_empty;
  plan.replicates = replicates;
  plan.seed = seed;
  plan.protocols = listed(protocols);
  for (const std::string& protocol : plan.protocols) parse_protocol(protocol);
}

std::vector<std::string> PlanParams::base_names() const {
  std::vector<std::string> names = listed(bases);
  if (names.empty()) throw UsageError("bases names no base model");
  return names;
}

void set_values(const std::string& text, Plan& plan) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos) throw UsageError(fmt::format("values: expected name=a,b,c, got '{}'", text));
  std::string name = text.substr(0, at);
  std::replace(name.begin(), name.end(), '-', '_');
  const std::vector<std::string> list = listed(text.substr(at + 1));
  if (list.empty()) throw UsageError(fmt::format("values: no value for {}", name));
  std::erase_if(plan.values, [&](const auto& given) { return given.first == name; });
  plan.values.emplace_back(name, join(list, ","));
}

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

Params training_params(TrainParams& train) {
  Params all;
  train.describe(all);
  return all.without({"seed", "metric", "metric_k", "checkpoint_seconds"});
}

}  // namespace equipoise
