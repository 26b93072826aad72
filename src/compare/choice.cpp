// Ordering searched trials by validation.
#include "compare/choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace equipoise {

void order_by_validation(const Plan& plan, std::vector<StoredTrial>& trials) {
  const MetricInfo& metric = find_metric(plan.metric);
  std::stable_sort(trials.begin(), trials.end(),
                   [&](const StoredTrial& a, const StoredTrial& b) { return better(metric, a.valid, b.valid); });
}

std::vector<StoredTrial> finalists(const Plan& plan, const RunStore& store, const std::string& source,
                                   const std::string& arm) {
  std::vector<StoredTrial> trials = store.trials(source, arm, kSearch);
  if (trials.empty()) return {};
  const int last = trials.back().key.rung;
  std::erase_if(trials, [&](const StoredTrial& trial) { return trial.key.rung != last || trial.failed; });
  order_by_validation(plan, trials);
  trials.resize(std::min(trials.size(), static_cast<std::size_t>(std::max(1, plan.finalists))));
  return trials;
}

namespace {

// The trial that validation prefers, with its mean over all seeds that it was run on; nothing if all failed. A setting
// that failed on one of the seeds comes last.
std::optional<StoredTrial> best_trial(const Plan& plan, const RunStore& store, const std::string& source,
                                      const std::string& arm) {
  std::vector<StoredTrial> best = finalists(plan, store, source, arm);
  if (best.empty()) return {};
  const std::vector<StoredTrial> again = store.trials(source, arm, kFinalist);
  for (StoredTrial& trial : best) {
    double sum = trial.valid, runs = 1;
    for (const StoredTrial& other : again) {
      if (other.key.number == trial.key.number) sum += other.valid, runs += 1;  // NaN where it failed
    }
    trial.valid = sum / runs;
  }
  order_by_validation(plan, best);
  return best.front();
}

template <class T>
std::string names_text(const std::vector<T>& list) {
  std::vector<std::string> names;
  for (const T& entry : list) names.push_back(entry.name);
  return join(names, ", ");
}

const DataSource& find_source(const Plan& plan, const std::string& name) {
  if (name.empty() && plan.sources.size() == 1) return plan.sources.front();
  for (const DataSource& source : plan.sources) {
    if (source.name == name) return source;
  }
  throw UsageError(
      name.empty() ? fmt::format("the runs are on several data sets, and data names none: {}", names_text(plan.sources))
                   : fmt::format("there are no runs on a data set '{}'; there are {}", name, names_text(plan.sources)));
}

const Arm& find_arm(const Plan& plan, const std::string& name) {
  std::vector<const Arm*> alike;
  for (const Arm& arm : plan.arms) {
    if (name == arm.name) return arm;
    if (name == fmt::format("{}:{}", arm.method, arm.base)) alike.push_back(&arm);
  }
  // Among arms of one method and base, the one that fixes nothing of its own is meant; without it the name says too
  // little.
  const auto plain = std::find_if(alike.begin(), alike.end(), [](const Arm* arm) {
    return arm->name == fmt::format("{} {}", arm->method, arm->base);
  });
  if (plain != alike.end()) return **plain;
  if (alike.size() == 1) return *alike.front();
  if (!alike.empty()) {
    std::vector<std::string> names;
    for (const Arm* arm : alike) names.push_back(arm->name);
    throw UsageError(fmt::format("arm '{}' may be any of {}; expected one of these names", name, join(names, ", ")));
  }
  throw UsageError(fmt::format("there are no runs of an arm '{}'; there are {}", name, names_text(plan.arms)));
}

}  // namespace

std::optional<Settings> chosen_settings(const Plan& plan, const RunStore& store, const std::string& source,
                                        const std::string& arm) {
  const std::optional<StoredTrial> best = best_trial(plan, store, source, arm);
  if (!best) return {};
  return best->settings;
}

ChosenRun chosen_run(const RunStore& store, const std::string& source, const std::string& arm) {
  const Plan plan = store.plan();
  ChosenRun out{find_source(plan, source), {}, {}};
  std::optional<StoredTrial> best;
  for (const Arm& one : arm.empty() ? plan.arms : std::vector<Arm>{find_arm(plan, arm)}) {
    std::optional<StoredTrial> trial = best_trial(plan, store, out.source.name, one.name);
    if (!trial || (best && !better(find_metric(plan.metric), trial->valid, best->valid))) continue;
    best = std::move(trial);
    out.arm = one;
  }
  if (!best) throw UsageError(fmt::format("no run on '{}' came to an end yet", out.source.name));
  if (out.arm.outside) {
    throw UsageError(fmt::format("'{}' is an outside method and trained by its own code, with {}; name another arm",
                                 out.arm.name, settings_text(best->settings, "its defaults")));
  }
  out.settings = out.arm.fixed;
  out.settings.insert(out.settings.end(), best->settings.begin(), best->settings.end());
  out.settings.emplace_back("metric", plan.metric);
  out.settings.emplace_back("metric_k", std::to_string(plan.k));
  out.settings.emplace_back("seed", std::to_string(plan.final_seeds().front()));
  return out;
}

}  // namespace equipoise
