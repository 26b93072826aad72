// Outside methods in plans: the same trials as any arm, on the calling thread alone, without the test part.
#include "compare/outside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "compare/comparison.h"
#include "compare/results.h"
#include "compare/search.h"
#include "compare/tiny_plan.h"
#include "core/error.h"
#include "core/text.h"

namespace equipoise {
namespace {

// Scores an item by its share of positives in train, shrunk towards a half by `prior` rows.
class SharesScorer final : public Scorer {
 public:
  SharesScorer(const Dataset& data, double prior)
      : positives_(static_cast<std::size_t>(data.items.size()), prior / 2), rows_(positives_.size(), prior) {
    for (std::size_t k = 0; k < data.train.size(); ++k) {
      const auto item = static_cast<std::size_t>(data.train.item[k]);
      positives_[item] += data.train.label[k];
      rows_[item] += 1;
    }
  }
  void score(std::span<const std::int32_t>, std::span<const std::int32_t> items, std::span<float> out) const override {
    for (std::size_t k = 0; k < items.size(); ++k) {
      const auto item = static_cast<std::size_t>(items[k]);
      out[k] = static_cast<float>(positives_[item] / rows_[item]);
    }
  }
  bool gives_chances() const override { return false; }

 private:
  std::vector<double> positives_, rows_;
};

// What a method was called with.
struct Calls {
  std::set<std::thread::id> threads;
  std::set<std::string> priors;
  std::size_t test_rows = 0, count = 0;
};

OutsideArm shares(Calls& calls) {
  return {"shares",
          {{"prior", {"1", "4", "16"}, true, false}},
          [&calls](const std::shared_ptr<const Dataset>& data, const Settings& settings, std::uint64_t) {
            double prior = 2;
            for (const auto& [name, value] : settings) {
              EXPECT_EQ(name, "prior");
              calls.priors.insert(value);
              prior = *parse_double(value);
            }
            calls.threads.insert(std::this_thread::get_id());
            calls.test_rows += data->test.size();
            ++calls.count;
            return std::make_unique<SharesScorer>(*data, prior);
          }};
}

class OutsideTest : public test::PlanTest {
 protected:
  Plan with(OutsideArm method, const std::string& search = "random") {
    Plan plan = test::tiny_plan(search);
    plan.finalists = 0;
    plan.arms.push_back(outside_.add(std::move(method), plan.arms));
    return plan;
  }

  std::string run_outside(const Plan& plan, const std::string& name, int workers) {
    RunStore store = RunStore::create(folder_ / name, plan);
    Pool pool(workers);
    DataShelf shelf({}, pool);
    run_plan(plan, store, shelf, pool, outside_);
    return everything(store);
  }

  OutsideArms outside_;
};

TEST_F(OutsideTest, IsRunLikeAnyArm) {
  Calls calls;
  const Plan plan = with(shares(calls));
  run_outside(plan, "runs", 1);
  const RunStore store = RunStore::open(folder_ / "runs");
  EXPECT_EQ(store.keys().size(), planned_trials(plan));
  EXPECT_EQ(calls.count, 5u);  // a budget of 3, and 2 seeds
  EXPECT_EQ(calls.test_rows, 0u);
  EXPECT_EQ(calls.priors.size(), 2u);  // the defaults first, then two that were drawn
  for (const StoredTrial& trial : store.trials("tiny", "shares", kSearch, true)) {
    EXPECT_TRUE(trial.evaluations.empty()) << "a searched setting must not see test";
    EXPECT_EQ(trial.seed, plan.seed);
  }
  const std::vector<StoredTrial> finals = store.trials("tiny", "shares", kFinal, true);
  ASSERT_EQ(finals.size(), 2u);
  const std::vector<StoredTrial> rivals = store.trials("tiny", "base gmf", kFinal, true);
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_EQ(finals[r].seed, rivals[r].seed);
    EXPECT_EQ(finals[r].evaluations.at(0).users, rivals[r].evaluations.at(0).users);
  }
}

TEST_F(OutsideTest, IsComparedWithBaseAndGivesNoChances) {
  Calls calls;
  Plan plan = with(shares(calls));
  plan.budget = 1;
  run_outside(plan, "runs", 1);
  const RunStore store = RunStore::open(folder_ / "runs");
  const Results results(store);
  std::map<std::string, Cell> cells;
  for (const Cell& cell : results.cells("tiny", "test-items", "auc")) cells[cell.arm] = cell;
  ASSERT_TRUE(cells.at("shares").base.has_value());
  EXPECT_EQ(cells.at("shares").base->other, "base gmf");
  EXPECT_GT(cells.at("shares").mean, 0.5);
  EXPECT_FALSE(std::isfinite(results.cells("tiny", "test-items", "log_loss").back().mean)) << "it gives no chances";
}

TEST_F(OutsideTest, RunsOnTheCallingThreadAndWorkersChangeNothing) {
  for (const std::string search : {"random", "halving"}) {
    Calls calls;
    OutsideArms fresh;
    outside_ = fresh;
    const Plan plan = with(shares(calls), search);
    const std::string one = run_outside(plan, search + "1", 1);
    EXPECT_EQ(one, run_outside(plan, search + "4", 4)) << search;
    EXPECT_EQ(calls.threads, std::set{std::this_thread::get_id()});
  }
}

TEST_F(OutsideTest, WhatItThrowsIsWhyTheTrialFailed) {
  const auto throwing = [](const std::shared_ptr<const Dataset>& data, const Settings& settings,
                           std::uint64_t) -> std::unique_ptr<Scorer> {
    if (settings.empty()) throw std::runtime_error("no settings\nat all");
    return std::make_unique<SharesScorer>(*data, 1.0);
  };
  const Plan plan = with({"picky", {{"depth", {"3", "6"}, true, true}}, throwing});
  run_outside(plan, "runs", 2);
  const RunStore store = RunStore::open(folder_ / "runs");
  const std::vector<StoredTrial> tried = store.trials("tiny", "picky", kSearch);
  ASSERT_EQ(tried.size(), 3u);
  EXPECT_TRUE(tried[0].failed);
  EXPECT_EQ(tried[0].error, "fit: no settings\\nat all");
  EXPECT_FALSE(tried[1].failed);
  EXPECT_EQ(store.trials("tiny", "picky", kFinal).size(), 2u);
}

TEST_F(OutsideTest, ScoresThatAreNoNumbersFailTheTrial) {
  class NoNumbers final : public Scorer {
   public:
    void score(std::span<const std::int32_t>, std::span<const std::int32_t>, std::span<float> out) const override {
      std::fill(out.begin(), out.end(), std::nanf(""));
    }
  };
  const Plan plan = with({"nan", {}, [](const auto&, const Settings&, std::uint64_t) -> std::unique_ptr<Scorer> {
                            return std::make_unique<NoNumbers>();
                          }});
  run_outside(plan, "runs", 1);
  const RunStore store = RunStore::open(folder_ / "runs");
  ASSERT_EQ(store.trials("tiny", "nan", kSearch).size(), 1u) << "nothing is searched, so the defaults are all";
  EXPECT_TRUE(store.trials("tiny", "nan", kSearch).at(0).failed);
  EXPECT_TRUE(store.trials("tiny", "nan", kFinal).empty());
}

TEST_F(OutsideTest, AnInterruptionEndsThePlanAndKeepsWhatIsDone) {
  Calls calls;
  OutsideArm method = shares(calls);
  const OutsideArm::Train train = method.train;
  bool stop = true;
  method.train = [&](const std::shared_ptr<const Dataset>& data, const Settings& settings, std::uint64_t seed) {
    if (stop && calls.count == 2) throw Interrupted("stopped");
    return train(data, settings, seed);
  };
  const Plan plan = with(method);
  EXPECT_THROW(run_outside(plan, "runs", 2), Interrupted);
  EXPECT_EQ(RunStore::open(folder_ / "runs").trials("tiny", "shares", kSearch).size(), 2u);
  stop = false;
  const std::string resumed = run_outside(plan, "runs", 1);
  EXPECT_EQ(calls.count, 5u) << "nothing is run twice";
  EXPECT_EQ(resumed, run_outside(plan, "whole", 1));
}

TEST_F(OutsideTest, ItsPlanComesBackFromTheStore) {
  Calls calls;
  const Plan plan = with(shares(calls));
  const Plan back = Plan::from_json(plan.to_json());
  EXPECT_EQ(back.identity(), plan.identity());
  ASSERT_TRUE(back.arm("shares").outside.has_value());
  EXPECT_EQ(back.arm("shares").outside->at(0).values, (std::vector<std::string>{"1", "4", "16"}));
  Plan other = plan;
  other.arms.back().outside->at(0).values.pop_back();
  EXPECT_THROW(grown(plan, other, "runs"), UsageError);
  EXPECT_EQ(test::tiny_plan().to_json().dump().find("outside"), std::string::npos) << "other plans are what they were";
}

TEST_F(OutsideTest, BadOnesAreRefused) {
  Calls calls;
  const std::vector<Arm> others = test::tiny_plan().arms;
  const auto refused = [&](const std::string& name, std::vector<Dimension> search) {
    OutsideArm method = shares(calls);
    method.name = name;
    method.search = std::move(search);
    EXPECT_THROW(outside_.add(method, others), UsageError) << name;
  };
  refused("", {});
  refused("cbr", {});
  refused("base gmf", {});
  refused("own", {{"depth", {}, false, false}});
  refused("own", {{"depth", {"1"}, false, false}, {"depth", {"2"}, false, false}});
  refused("own", {{"depth", {"deep"}, true, true}});
}

// A store with an outside method is gone on with where the method is named again, or has nothing left to run.
TEST_F(OutsideTest, AStoreSaysWhatItNeeds) {
  Calls calls;
  const Plan small = with(shares(calls));
  run_outside(small, "runs", 1);
  Pool pool(1);
  Comparison same({}, pool);
  same.plan = test::tiny_plan();
  EXPECT_NO_THROW(same.grow(folder_ / "runs"));
  Comparison more({}, pool);
  more.plan = test::tiny_plan();
  more.plan.seeds = 3;
  try {
    more.grow(folder_ / "runs");
    FAIL() << "a seed of the outside method is missing";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("outside method 'shares'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace equipoise
