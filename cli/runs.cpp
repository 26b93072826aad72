// equipoise runs: what a run store holds, also while another process adds to it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli.h"
#include "compare/choice.h"
#include "compare/results_json.h"
#include "compare/search.h"
#include "core/text.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

class Runs final : public Verb {
 public:
  explicit Runs(CLI::App& root)
      : Verb(root, "runs", "List what a run store holds; also while a comparison is running.",
             "equipoise runs runs/sim\n  equipoise runs runs/sim --trials") {
    app().add_option("RUNS", folder_, "the folder that compare or study writes to")->required();
    app().add_flag("--trials", trials_, "every trial with its settings, instead of a line for each arm");
  }

  void run() override {
    refuse_leftovers("runs");
    const RunStore store = RunStore::open(folder_);
    const Plan plan = store.plan();
    if (common().json) return print_json(trials_json(store));
    const std::size_t done = store.keys().size(), planned = planned_trials(plan);
    print_line(fmt::format("{}: {}, {} of {} trials done", folder_, plan.kind,
                           thousands(static_cast<std::int64_t>(done)), thousands(static_cast<std::int64_t>(planned))));
    print_line(plan.command + "\n");
    print_table(trials_ ? trial_lines(store, plan) : arm_lines(store, plan));
    print_captions(store, plan);
  }

 private:
  using Table = std::vector<std::vector<std::string>>;

  // Of what the final runs were measured on; trials of the search see valid only.
  static void print_captions(const RunStore& store, const Plan& plan) {
    const Results results(store);
    for (const DataSource& source : plan.sources) {
      for (const std::string& protocol : results.protocols(source.name)) {
        print_line(fmt::format("{}: chosen by {} on valid; final runs: {}", source.name,
                               metric_label(plan.metric, plan.k), results.caption(source.name, protocol)));
      }
    }
  }

  // As train takes them.
  static std::string flags(const Settings& fixed, const Settings& chosen) {
    std::vector<std::string> parts;
    for (const Settings* settings : {&fixed, &chosen}) {
      for (const auto& [name, value] : *settings) parts.push_back(fmt::format("--set {}={}", name, value));
    }
    return parts.empty() ? "defaults" : join(parts, " ");
  }

  static Table arm_lines(const RunStore& store, const Plan& plan) {
    const std::string best_valid = "best valid " + metric_label(plan.metric, plan.k);
    Table rows = {{"data", "arm", "tried", "final", "failed", best_valid, "seconds", "chosen so far"}};
    for (const DataSource& source : plan.sources) {
      for (const Arm& arm : plan.arms) {
        const auto tried = store.trials(source.name, arm.name, kSearch),
                   again = store.trials(source.name, arm.name, kFinalist),
                   runs = store.trials(source.name, arm.name, kFinal);
        int failed = 0;
        double seconds = 0, best = std::nan("");
        const auto chosen = chosen_settings(plan, store, source.name, arm.name);
        for (const auto* list : {&tried, &again, &runs}) {
          for (const StoredTrial& trial : *list) {
            failed += trial.failed && (trial.key.rung == 0 || list == &again) ? 1 : 0;
            seconds += trial.seconds;
          }
        }
        for (const StoredTrial& trial : tried) {
          if (chosen && trial.settings == *chosen) best = trial.valid;
        }
        rows.push_back(
            {source.name, arm.name,
             std::to_string(std::count_if(tried.begin(), tried.end(), [](const auto& t) { return t.key.rung == 0; })),
             std::to_string(runs.size()), std::to_string(failed), number(best, 4), fmt::format("{:.1f}", seconds),
             chosen ? flags(arm.fixed, *chosen) : "–"});
      }
    }
    return rows;
  }

  static Table trial_lines(const RunStore& store, const Plan& plan) {
    Table rows = {
        {"data", "arm", "stage", "rung", "number", "seed", "valid " + plan.metric, "epochs", "seconds", "settings"}};
    for_each_trial(store, plan, [&](const StoredTrial& trial) {
      const Json* curve = trial.training.find("curve");
      rows.push_back({trial.key.source, trial.key.arm, trial.key.stage, std::to_string(trial.key.rung),
                      std::to_string(trial.key.number), std::to_string(trial.seed), number(trial.valid, 4),
                      curve == nullptr ? "–" : std::to_string(curve->as_array().size()),
                      fmt::format("{:.1f}", trial.seconds),
                      trial.failed ? "failed: " + trial.error : settings_text(trial.settings, "defaults")});
    });
    return rows;
  }

  std::string folder_;
  bool trials_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_runs(CLI::App& app) { return std::make_unique<Runs>(app); }

}  // namespace equipoise::cli
