// Verdicts: what is said of values that are told apart, that are not, and that cannot be.
#include "serve/verdict.h"

#include <gtest/gtest.h>

namespace equipoise {
namespace {

OffPolicyEstimate estimate(double value, double error) {
  OffPolicyEstimate out;
  out.value = value;
  out.standard_error = error;
  out.low = value - 2 * error;
  out.high = value + 2 * error;
  return out;
}

PolicyValue policy(const std::string& name, double value, double error, const std::string& verdict) {
  PolicyValue out;
  out.name = name;
  for (const Estimator& one : off_policy_estimators()) out.estimates.emplace_back(one.name, estimate(value, error));
  out.contrasts.push_back({"", estimate(value - 1, error), verdict == "cannot be told" ? 4321.0 : 0.0, verdict});
  return out;
}

Valuation valuation(std::vector<PolicyValue> policies) {
  Valuation out;
  out.lists = 1000;
  out.logged = estimate(1, 0.01);
  out.policies = std::move(policies);
  return out;
}

std::string all_words(const Verdict& verdict) {
  std::string out;
  for (const std::string& sentence : verdict.words) out += sentence + "\n";
  return out;
}

TEST(Verdict, ShipsTheBestModelThatIsBetterThanWhatIsShown) {
  const Verdict found = verdict_of(
      valuation({policy("a", 1.5, 0.1, "better"), policy("b", 1.7, 0.1, "better"), policy("c", 0.4, 0.1, "worse")}),
      true);
  EXPECT_EQ(found.decision, "ship");
  EXPECT_EQ(found.words.front(),
            "b is better than the lists that were shown: +0.700 liked items a list, +0.500 to +0.900.");
}

TEST(Verdict, KeepsExploringWhereNothingIsToldApart) {
  const Verdict found = verdict_of(valuation({policy("a", 1.1, 0.4, "cannot be told")}), true);
  EXPECT_EQ(found.decision, "keep exploring");
  EXPECT_NE(all_words(found).find("about 4,321 more lists"), std::string::npos) << all_words(found);
}

TEST(Verdict, SaysThatTooFewItemsWereLiked) {
  Valuation young = valuation({policy("a", 0.5, 0.1, "cannot be told")});
  young.policies[0].contrasts[0].too_few = true;
  EXPECT_NE(all_words(verdict_of(young, true)).find("Too few liked items carry weight yet; about 4,321 more lists"),
            std::string::npos);
}

TEST(Verdict, KeepsExploringWhereAllModelsAreWorse) {
  const Verdict found = verdict_of(valuation({policy("a", 0.5, 0.1, "worse")}), true);
  EXPECT_EQ(found.decision, "keep exploring");
  EXPECT_NE(all_words(found).find("a, is worse"), std::string::npos) << all_words(found);
}

TEST(Verdict, SaysWhichModelsCannotBeJudged) {
  PolicyValue without = policy("b", 9, 0.1, "better");
  without.overlap.refusal = "the log never shows its lists";
  const Verdict one = verdict_of(valuation({policy("a", 1.5, 0.1, "better"), without}), true);
  EXPECT_EQ(one.decision, "ship");
  EXPECT_NE(all_words(one).find("b cannot be judged: the log never shows its lists."), std::string::npos);
  const Verdict none = verdict_of(valuation({without}), false);
  EXPECT_EQ(none.decision, "cannot be known");
  EXPECT_EQ(none.words.size(), 2u);
  EXPECT_EQ(verdict_of(valuation({without}), true).decision, "keep exploring") << "more lists will tell";
}

TEST(Verdict, ALogWithoutFeedbackSaysSo) {
  Valuation mute = valuation({policy("a", 0, 0, "cannot be told")});
  mute.logged = estimate(0, 0);
  EXPECT_EQ(verdict_of(mute, true).decision, "keep exploring");
  EXPECT_EQ(verdict_of(mute, false).decision, "cannot be known");
  EXPECT_EQ(verdict_of(mute, false).words.front(), "No item that was shown has been taken yet.");
}

TEST(Verdict, AModelThatMadeAllListsIsNotComparedWithItself) {
  EXPECT_EQ(verdict_of(valuation({policy("a", 1 + 1e-15, 1e-16, "cannot be told")}), true).decision, "cannot be known");
}

TEST(Verdict, WrongChancesAreNoGroundForAnything) {
  Valuation wrong = valuation({policy("a", 1.5, 0.1, "better")});
  wrong.check.can_tell = wrong.check.wrong = true;
  EXPECT_EQ(verdict_of(wrong, true).decision, "cannot be known");
}

TEST(Verdict, WarnsOfModelsThatWereTrainedOnTheLog) {
  PolicyValue knows = policy("a", 1.5, 0.1, "better");
  knows.trained_on = 12345;
  EXPECT_NE(all_words(verdict_of(valuation({knows}), true)).find("12,345"), std::string::npos);
}

}  // namespace
}  // namespace equipoise
