// A plan that is run in moments, and a folder for its stores: what the tests of runs share.
#pragma once

#include <gtest/gtest.h>

#include "compare/runner.h"
#include "compare/studies.h"
#include "data/temp_folder.h"

namespace equipoise::test {

inline SimulateParams tiny_law() {
  SimulateParams law;
  law.users = 60;
  law.items = 12;
  law.width = 3;
  return law;
}

inline Plan tiny_plan(const std::string& search = "random") {
  Plan plan;
  plan.search = search;
  plan.budget = 3;
  plan.seeds = 2;
  plan.replicates = 20;
  plan.k = 3;
  plan.arms = arms_of({"popularity", "mean", "base", "ips"}, {"gmf"});
  for (Arm& arm : plan.arms) {
    if (!arm.base.empty()) arm.fixed = {{"epochs", "9"}, {"embedding", "4"}, {"batch_size", "64"}};
  }
  plan.sources.push_back({"tiny", "", tiny_law(), 1, kNoX, ""});
  return plan;
}

class PlanTest : public ::testing::Test {
 protected:
  std::string run(const Plan& plan, const std::string& name, int workers) {
    RunStore store = RunStore::create(folder_ / name, plan);
    Pool pool(workers);
    DataShelf shelf({}, pool);
    run_plan(plan, store, shelf, pool);
    return everything(store);
  }

  // All that is kept, but for the clock.
  static std::string everything(const RunStore& store) {
    const Plan plan = store.plan();
    std::string out;
    for (const DataSource& source : plan.sources) {
      for (const Arm& arm : plan.arms) {
        for (const char* stage : {kSearch, kFinalist, kFinal}) {
          for (const StoredTrial& t : store.trials(source.name, arm.name, stage, true)) {
            out += t.key.source + t.key.arm + t.key.stage + std::to_string(t.key.rung) + " " +
                   std::to_string(t.key.number) + " " + std::to_string(t.seed) + to_json(t.settings).dump() +
                   t.training.dump() + t.data + t.error;
            for (const StoredEvaluation& e : t.evaluations) {
              out += e.summary.dump();
              for (const double value : e.resampled.at("auc")) out += std::to_string(value);
            }
          }
        }
      }
    }
    return out;
  }

  TempFolder folder_;
};

}  // namespace equipoise::test
