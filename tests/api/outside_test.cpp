// A caller's own method in a comparison through the public face: tables, tests, trials and users as plain values.
#include <equipoise/lab.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "data/temp_folder.h"

namespace {

using namespace equipoise;

OutsideMethod item_share() {
  OutsideMethod out;
  out.name = "item share";
  out.search = {{"prior", {"1", "10"}, "whole number"}, {"kind", {"plain", "squared"}, "text"}};
  out.train = [](const Data& data, const Parameters& settings, std::uint64_t) {
    EXPECT_EQ(data.test_rows(), 0u);
    EXPECT_TRUE(data.rows("test").user.empty());
    EXPECT_GT(data.valid_rows(), 0u);
    const auto prior = settings.find("prior");
    const double rows = prior == settings.end() ? 5 : std::stod(prior->second);
    std::vector<double> share(data.items().size(), rows * 0.5), seen(data.items().size(), rows);
    const RowColumns train = data.rows("train");
    for (std::size_t k = 0; k < train.item.size(); ++k) {
      share[static_cast<std::size_t>(train.item[k])] += train.label[k];
      seen[static_cast<std::size_t>(train.item[k])] += 1;
    }
    for (std::size_t i = 0; i < share.size(); ++i) share[i] /= seen[i];
    return [share](std::span<const std::int32_t>, std::span<const std::int32_t> items, std::span<float> scores) {
      for (std::size_t k = 0; k < items.size(); ++k) {
        scores[k] = static_cast<float>(share[static_cast<std::size_t>(items[k])]);
      }
    };
  };
  return out;
}

class Outside : public ::testing::Test {
 protected:
  Outside() {
    options_.out = folder_ / "runs";
    options_.methods = "base";
    options_.threads = 2;
    options_.outside = {item_share()};
    options_.parameters = {{"bases", "gmf"}, {"budget", "3"}, {"finalists", "0"}, {"seeds", "2"},
                           {"epochs", "2"},  {"k", "3"},      {"allow", "all"},   {"replicates", "20"}};
  }
  const equipoise::test::TempFolder folder_;
  const Data data_ = Data::simulate({{"users", "60"}, {"items", "16"}, {"width", "4"}});
  LabOptions options_;
};

TEST_F(Outside, HasItsLineInEveryTable) {
  const Runs runs = compare({data_}, options_);
  const std::vector<ArmResult> table = runs.table();
  const ArmResult& line = table.back();
  EXPECT_EQ(line.arm, "item share");
  EXPECT_EQ(line.against, "base gmf");
  EXPECT_EQ(line.runs, 2);
  EXPECT_EQ(line.trials, 3);
  EXPECT_TRUE(std::isfinite(line.mean) && std::isfinite(line.difference) && std::isfinite(line.difference_error));
  EXPECT_EQ(runs.metrics().front(), "auc");
  std::size_t tried = 0;
  for (const TrialResult& trial : runs.trials()) tried += trial.arm == "item share" ? 1 : 0;
  EXPECT_EQ(tried, 5u);
  EXPECT_EQ(runs.trials().size(), runs.planned_trials());
  std::set<std::string> rivals;
  for (const PairResult& pair : runs.pairs()) {
    if (pair.arm == "item share") rivals.insert(pair.against);
  }
  EXPECT_EQ(rivals, (std::set<std::string>{"popularity", "mean", "mean-popularity", "base gmf"}));
  std::size_t blocks = 0;
  for (const UserResults& block : runs.per_user()) {
    if (block.arm != "item share") continue;
    ++blocks;
    EXPECT_EQ(block.values.at("ndcg").size(), block.users.size());
    EXPECT_GT(block.users.size(), 10u);
  }
  EXPECT_EQ(blocks, 2u);
  for (const std::string& page : {runs.html(), runs.fragment(), runs.markdown(), runs.latex()}) {
    EXPECT_NE(page.find("item share"), std::string::npos);
  }
  EXPECT_NE(runs.fragment().find("<svg"), std::string::npos);
  EXPECT_THROW(runs.chosen("item share"), Failure);
}

// Our own base as an outside method: every figure is that of the arm, to the last bit.
TEST_F(Outside, IsMeasuredAsTheArmThatItIs) {
  OutsideMethod twin;
  twin.name = "twin";
  twin.scores_are_chances = true;
  twin.train = [](const Data& data, const Parameters&, std::uint64_t seed) -> OutsideMethod::Score {
    TrainOptions options{.method = "base", .base = "gmf"};
    options.parameters = {{"epochs", "2"}, {"metric", "auc"}, {"metric_k", "3"}, {"seed", std::to_string(seed)}};
    const Model model = Model::train(data, options);
    return [=](std::span<const std::int32_t> users, std::span<const std::int32_t> items, std::span<float> out) {
      std::vector<std::string> who, what;
      for (const std::int32_t user : users) who.push_back(data.users()[static_cast<std::size_t>(user)]);
      for (const std::int32_t item : items) what.push_back(data.items()[static_cast<std::size_t>(item)]);
      model.score(who, what, out);
    };
  };
  options_.outside = {twin};
  options_.parameters["budget"] = "1";
  const Runs runs = compare({data_}, options_);
  for (const std::string& metric : runs.metrics()) {
    std::map<std::string, ArmResult> lines;
    for (const ArmResult& line : runs.table(metric)) lines[line.arm] = line;
    const ArmResult &ours = lines.at("base gmf"), &theirs = lines.at("twin");
    EXPECT_TRUE(ours.mean == theirs.mean || (std::isnan(ours.mean) && std::isnan(theirs.mean))) << metric;
    EXPECT_TRUE(ours.low == theirs.low || (std::isnan(ours.low) && std::isnan(theirs.low))) << metric;
    EXPECT_TRUE(theirs.difference == 0 || std::isnan(ours.mean)) << metric;
  }
  std::map<std::string, double> valid;
  for (const TrialResult& trial : runs.trials()) {
    if (trial.stage == "search") valid[trial.arm] = trial.valid;
  }
  EXPECT_EQ(valid.at("twin"), valid.at("base gmf"));
}

TEST_F(Outside, FixedAndNamedValuesHoldForItToo) {
  options_.parameters["prior"] = "7";
  options_.values = {"kind=squared"};
  bool seven = false;
  auto train = options_.outside[0].train;
  options_.outside[0].train = [&](const Data& data, const Parameters& settings, std::uint64_t seed) {
    seven = settings.at("prior") == "7";
    const auto kind = settings.find("kind");
    EXPECT_TRUE(kind == settings.end() || kind->second == "squared");
    return train(data, settings, seed);
  };
  compare({data_}, options_);
  EXPECT_TRUE(seven);
}

TEST_F(Outside, TheStoreGrowsByItAndNamesItWhereItIsMissing) {
  options_.outside.clear();
  compare({data_}, options_);
  options_.outside = {item_share()};
  EXPECT_EQ(compare({data_}, options_).table().back().arm, "item share");
  options_.outside.clear();
  EXPECT_NO_THROW(compare({data_}, options_)) << "all of its trials are there";
  options_.parameters["seeds"] = "3";
  try {
    compare({data_}, options_);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), Failure::Kind::usage);
    EXPECT_NE(std::string(failure.what()).find("'item share'"), std::string::npos);
  }
}

TEST_F(Outside, AnInterruptionOfItsOwnEndsTheComparison) {
  int calls = 0;
  auto train = options_.outside[0].train;
  options_.outside[0].train = [&](const Data& data, const Parameters& settings, std::uint64_t seed) {
    if (++calls == 2) throw Failure("enough", Failure::Kind::interrupted);
    return train(data, settings, seed);
  };
  try {
    compare({data_}, options_);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), Failure::Kind::interrupted);
  }
  EXPECT_EQ(Runs::open(options_.out).table().size(), 0u) << "no final run has been";
  options_.outside[0].train = train;
  EXPECT_EQ(compare({data_}, options_).table().back().runs, 2);
}

TEST_F(Outside, IsOfNoStudyAndNeedsAFunctionAndAKind) {
  EXPECT_THROW(study("ablation", {data_}, options_), Failure);
  options_.outside[0].search[0].kind = "integer";
  EXPECT_THROW(compare({data_}, options_), Failure);
  options_.outside = {OutsideMethod{}};
  EXPECT_THROW(compare({data_}, options_), Failure);
}

TEST_F(Outside, TheLinterSpeaksWithoutARun) {
  options_.parameters.erase("allow");
  const auto found = lint({data_}, options_);
  options_.parameters["allow"] = "all";
  for (const Finding& finding : lint({data_}, options_)) EXPECT_FALSE(finding.refuses);
  EXPECT_EQ(found.size(), lint({data_}, options_).size());
  options_.parameters["protocols"] = "test";
  EXPECT_THROW(lint({data_}, options_), Failure);
}

}  // namespace
