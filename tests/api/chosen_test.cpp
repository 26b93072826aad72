// What a comparison chose becomes a model, and its run store grows, through the public face alone.
#include <equipoise/lab.h>
#include <gtest/gtest.h>

#include <set>

#include "data/temp_folder.h"

namespace {

using equipoise::ArmResult;
using equipoise::compare;
using equipoise::Data;
using equipoise::Failure;
using equipoise::LabOptions;
using equipoise::Model;
using equipoise::Parameters;
using equipoise::Runs;
using equipoise::TrainOptions;

TEST(Chosen, IsTrainedAndTheStoreGrows) {
  const equipoise::test::TempFolder folder;
  const Data data = Data::simulate({{"users", "60"}, {"items", "16"}, {"width", "4"}});
  LabOptions options;
  options.out = folder / "runs";
  options.methods = "base";
  const Parameters plan = {{"bases", "gmf"}, {"budget", "2"},      {"epochs", "2"},
                           {"k", "3,1"},     {"replicates", "10"}, {"allow", "all"}};
  options.parameters = plan;
  options.parameters["seeds"] = "1";
  compare({data}, options);
  options.methods = "ips";
  options.parameters = plan;
  options.parameters["seed_list"] = "2,7";
  const Runs runs = compare({data}, options);
  std::set<std::string> arms;
  for (const ArmResult& line : runs.table("ndcg@1")) {
    arms.insert(line.arm);
    EXPECT_EQ(line.runs, 2) << line.arm;
  }
  EXPECT_TRUE(arms.contains("base gmf") && arms.contains("ips gmf") && arms.contains("popularity"));
  const TrainOptions chosen = runs.chosen("ips:gmf");
  EXPECT_EQ(chosen.method, "ips");
  EXPECT_EQ(chosen.parameters.at("seed"), "2");
  EXPECT_EQ(Model::train(data, chosen).method(), "ips");
  EXPECT_THROW(runs.chosen("cbr mlp"), Failure);
  options.parameters["budget"] = "3";
  EXPECT_THROW(compare({data}, options), Failure);
}

}  // namespace
