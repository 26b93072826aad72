// Off-policy values where the truth is known: coverage of intervals, wrong chances, forms, refusals, threads.
#include "app/value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "app/value_world.h"
#include "core/error.h"
#include "stopping.h"

namespace equipoise::test {
namespace {

const ValueWorld& world() {
  static const ValueWorld made;
  return made;
}

ValueParams asked(const std::string& form) {
  ValueParams params;
  params.form = form;
  params.include_seen = true;
  return params;
}

struct Tally {
  int logs = 0, alarms = 0;
  std::map<std::string, int> covered;
  std::map<std::string, double> sum, squares;

  double share(const std::string& estimator) const { return covered.at(estimator) / static_cast<double>(logs); }
  /// How far the mean of the estimates is from the truth, in standard errors.
  double bias(const std::string& estimator, double truth) const {
    const double n = logs, mean = sum.at(estimator) / n;
    const double spread = std::sqrt((squares.at(estimator) / n - mean * mean) / n);
    return (mean - truth) / spread;
  }
};

Tally judge(const Policy& shown, const Policy& said, const Policy& judged, const std::string& form, int logs,
            int lists) {
  const double truth = world().truth(world().other(), judged, form);
  Tally out;
  const Listener nobody;
  for (int n = 0; n < logs; ++n) {
    const Dataset data = world().log(shown, said, form, static_cast<std::uint64_t>(n) + 1, lists);
    const Valuation found = value(data, {{"other", &world().other(), judged}}, asked(form), one_thread());
    ++out.logs;
    out.alarms += found.check.wrong ? 1 : 0;
    for (const auto& [name, e] : found.policies[0].estimates) {
      out.covered[name] += e.low <= truth && truth <= e.high ? 1 : 0;
      out.sum[name] += e.value, out.squares[name] += e.value * e.value;
    }
  }
  return out;
}

// EQUIPOISE_FULL=1 simulates 1,000 logs of each kind; 100 otherwise, and the limits are as wide as that asks for.
bool full() { return std::getenv("EQUIPOISE_FULL") != nullptr; }
int logs() { return full() ? 1000 : 100; }

void expect_coverage(const Tally& tally, const std::string& what) {
  for (const char* name : {"ips", "dr"}) {
    EXPECT_GE(tally.share(name), full() ? 0.93 : 0.87) << what << " " << name;
    EXPECT_LE(tally.share(name), full() ? 0.97 : 1.00) << what << " " << name;
    if (full()) std::printf("%s %s: covered %.1f%%\n", what.c_str(), name, 100 * tally.share(name));
  }
  EXPECT_LE(tally.alarms, logs() / 50) << what;
}

TEST(Value, IntervalsCoverTheTruth) {
  const Policy epsilon = Policy::parse("epsilon=0.5"), luce = Policy::parse("plackett-luce,temperature=1,epsilon=0.2");
  const Policy best = Policy::parse("none"), soft = Policy::parse("epsilon=0.1");
  expect_coverage(judge(epsilon, epsilon, best, "item", logs(), 600), "epsilon, items");
  expect_coverage(judge(luce, luce, soft, "position", logs(), 600), "plackett-luce, positions");
}

// Users come again, and what they gave feedback on is left out of their later lists: of the policy's, too.
TEST(Value, IntervalsCoverTheTruthWhereUsersReturn) {
  const Policy shown = Policy::parse("epsilon=0.5");
  for (const char* judged : {"none", "epsilon=0.1"}) {
    const Policy policy = Policy::parse(judged);
    std::map<std::string, std::vector<OffPolicyEstimate>> found;
    double truth = 0, weight = 0, squares = 0;
    int refused = 0;
    for (int n = 0; n < logs(); ++n) {
      auto [data, mean] =
          world().returning_log(shown, policy.draws() ? policy.epsilon : 0, 1 + static_cast<std::uint64_t>(n), 5);
      truth += mean / logs();
      const Valuation known = value(data, {{"other", &world().other(), policy}}, asked("item"), one_thread());
      const PolicyValue& other = known.policies[0];
      EXPECT_EQ(other.more_eligible + other.fewer_eligible, 0U) << "the very items that could be shown";
      for (const auto& [name, estimate] : other.estimates) found[name].push_back(estimate);
      const double w = other.overlap.mean_weight;
      weight += w / logs(), squares += w * w / logs();
      data.asked.clear();
      try {
        value(data, {{"other", &world().other(), policy}}, asked("item"), one_thread());
      } catch (const CheckError&) {
        ++refused;  // the mean weight is so far below 1 that overlap seems to be missing
      }
    }
    const double error = std::sqrt((squares - weight * weight) / logs());
    EXPECT_NEAR(weight, 1, 4 * error) << judged;
    EXPECT_GT(refused, logs() * 9 / 10) << "where it is not known what was left out, weights lean";
    Tally tally;
    tally.logs = logs();
    for (const auto& [name, estimates] : found) {
      for (const OffPolicyEstimate& e : estimates) tally.covered[name] += e.low <= truth && truth <= e.high ? 1 : 0;
    }
    expect_coverage(tally, std::string("returning users, ") + judged);
  }
}

TEST(Value, WrongChancesAreFoundAndDoNotCover) {
  const Policy shown = Policy::parse("epsilon=0.5"), said = Policy::parse("epsilon=0.25");
  const Tally tally = judge(shown, said, Policy::parse("none"), "item", logs(), 600);
  EXPECT_LT(tally.share("ips"), 0.5);
  EXPECT_LT(tally.share("dr"), 0.7);
  EXPECT_GE(tally.alarms, logs() * 95 / 100);
  if (full())
    std::printf("wrong chances: ips covered %.1f%%, dr %.1f%%, %d of %d logs with an alarm\n", 100 * tally.share("ips"),
                100 * tally.share("dr"), tally.alarms, tally.logs);
}

// Every estimator that rests on weights hits the truth on average.
TEST(Value, EveryFormIsRightWhereItsAssumptionIs) {
  const Policy shown = Policy::parse("plackett-luce,temperature=2,epsilon=0.3");
  const Policy judged = Policy::parse("plackett-luce,temperature=1,epsilon=0.1");
  for (const char* form : {"item", "position", "cascade"}) {
    const double truth = world().truth(world().other(), judged, form);
    const Tally tally = judge(shown, shown, judged, form, 60, 400);
    for (const char* name : {"ips", "dr"}) EXPECT_LT(std::abs(tally.bias(name, truth)), 4) << form << " " << name;
  }
}

TEST(Value, TellsABetterPolicyFromTheLog) {
  const Policy shown = Policy::parse("epsilon=1");
  const Dataset data = world().log(shown, shown, "item", 3, 4000);
  const std::vector<NamedPolicy> policies = {{"first", &world().shown(), {}}, {"second", &world().other(), {}}};
  const Valuation found = value(data, policies, asked("item"), one_thread());
  ASSERT_EQ(found.policies[1].contrasts.size(), 2U);
  EXPECT_EQ(found.policies[1].contrasts[1].other, "first");
  const double truth = world().truth(world().other(), {}, "item") - world().truth(world().shown(), shown, "item");
  const OffPolicyEstimate& d = found.policies[1].contrasts[0].difference;
  EXPECT_NEAR(d.value, truth, 4 * d.standard_error);
  EXPECT_EQ(found.policies[1].contrasts[0].verdict, "better");
  EXPECT_FALSE(found.policies[1].contrasts[0].too_few);
  EXPECT_FALSE(found.check.wrong);
  EXPECT_TRUE(found.check.can_tell);
  EXPECT_EQ(to_json(found).at("policies").as_array().size(), 2U);
}

// Where the weights leave few positives, most logs hold none of them, and intervals are short and miss the truth.
TEST(Value, FewPositivesAreNoVerdict) {
  const Policy shown = Policy::parse("epsilon=0.05");
  const std::vector<NamedPolicy> policies = {{"other", &world().other(), {}}};
  const double truth = world().truth(world().other(), {}, "item") - world().truth(world().shown(), shown, "item");
  int judged = 0, missed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    try {
      const Valuation found =
          value(world().log(shown, shown, "item", seed, 150), policies, asked("item"), one_thread());
      const PolicyContrast& contrast = found.policies[0].contrasts[0];
      ASSERT_LT(found.policies[0].effective_positives, 10);
      EXPECT_EQ(contrast.verdict, "cannot be told");
      EXPECT_TRUE(contrast.too_few);
      EXPECT_GT(contrast.more_lists, 0);
      EXPECT_NE(verdict_sentence(found.policies[0], found).find("too few positives"), std::string::npos);
      ++judged;
      missed += truth < contrast.difference.low || truth > contrast.difference.high ? 1 : 0;
    } catch (const CheckError&) {  // too little overlap for anything
    }
  }
  EXPECT_GT(judged, 20);
  EXPECT_GT(missed, judged / 8) << "else the rule is not needed";
}

TEST(Value, OfTheLogsOwnPolicyIsTheLogs) {
  const Policy shown = Policy::parse("plackett-luce,temperature=1,epsilon=0.1");
  const Dataset data = world().log(shown, shown, "position", 4, 300);
  for (const char* form : {"item", "position", "cascade"}) {
    const Valuation found = value(data, {{"same", &world().shown(), shown}}, asked(form), one_thread());
    EXPECT_NEAR(found.policies[0].overlap.mean_weight, 1, 1e-6) << form;
    EXPECT_NEAR(found.policies[0].estimates[1].second.value, found.logged.value, 1e-6) << form;
  }
}

TEST(Value, RefusesByNameWithoutOverlap) {
  const Policy none = Policy::parse("none");
  const Dataset data = world().log(none, none, "item", 5, 500);
  const Hearing hearing;
  const std::vector<NamedPolicy> two = {{"same", &world().shown(), {}}, {"other", &world().other(), {}}};
  const Valuation found = value(data, two, asked("position"), one_thread());
  EXPECT_EQ(found.policies[0].overlap.refusal, "");
  EXPECT_NE(found.policies[1].overlap.refusal.find("overlap"), std::string::npos);
  EXPECT_TRUE(std::isnan(found.policies[1].estimates[1].second.value));
  EXPECT_FALSE(found.check.can_tell);
  const auto names_it = [](const std::string& said) {
    return said.starts_with("policy other: ") && said.find("overlap") != std::string::npos;
  };
  EXPECT_EQ(std::count_if(hearing.warnings.begin(), hearing.warnings.end(), names_it), 1);
  EXPECT_THROW(value(data, {{"other", &world().other(), {}}}, asked("position"), one_thread()), CheckError);
}

TEST(Value, NeedsTheChancesOfItsForm) {
  const Policy shown = Policy::parse("epsilon=0.5");
  Dataset data = world().log(shown, shown, "item", 6, 50);
  data.test.given_above.clear();
  EXPECT_THROW(value(data, {{"a", &world().other(), {}}}, asked("cascade"), one_thread()), DataError);
  data.test.position[1] = 1;
  EXPECT_THROW(value(data, {{"a", &world().other(), {}}}, asked("item"), one_thread()), DataError);
  data.test.clear();
  EXPECT_THROW(value(data, {{"a", &world().other(), {}}}, asked("item"), one_thread()), DataError);
  EXPECT_THROW(value(data, {}, asked("item"), one_thread()), UsageError);
}

TEST(Value, DependsOnNoThreads) {
  const Policy shown = Policy::parse("plackett-luce,temperature=1,epsilon=0.1");
  const Dataset data = world().log(shown, shown, "position", 7, 300);
  std::vector<std::string> said;
  for (const int threads : {1, 2, 4}) {
    Pool pool(threads);
    said.push_back(to_json(value(data, {{"a", &world().other(), shown}}, asked("cascade"), pool)).dump());
  }
  EXPECT_EQ(said[0], said[1]);
  EXPECT_EQ(said[0], said[2]);
}

}  // namespace
}  // namespace equipoise::test
