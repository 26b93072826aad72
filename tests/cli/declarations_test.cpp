// What the command line can be told, the library can be told: every verb's parameters against those of its twin.
#include <equipoise/lab.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli.h"
#include "data/temp_folder.h"

namespace equipoise::cli {
namespace {

using Names = std::set<std::string>;

Names names_of_groups(const std::vector<std::string>& wanted) {
  Names out;
  for (const auto& groups : {parameter_groups(), lab_parameter_groups()}) {
    for (const ParameterGroup& group : groups) {
      const bool asked = std::find(wanted.begin(), wanted.end(), group.name) != wanted.end() ||
                         std::find(wanted.begin(), wanted.end(), "every " + group.kind) != wanted.end();
      for (const ParameterInfo& p : group.parameters) {
        if (asked) out.insert(p.name);
      }
    }
  }
  return out;
}

// A verb, the groups of the library that its parameters belong to, and parameters that a caller's own types stand for.
struct Twin {
  std::unique_ptr<Verb> (*make)(CLI::App&);
  std::vector<std::string> groups;
  Names not_told = {};
};

const std::vector<Twin>& twins() {
  static const Names of_a_plan = {"seed", "metric", "metric_k", "checkpoint_seconds"};
  static const std::vector<Twin> all = {
      {make_simulate, {"simulate", "simulate over labels"}},
      {make_import, {"every source"}},
      {make_train, {"every part", "every base model", "every method", "open"}},
      {make_evaluate, {"evaluate", "cache"}},
      {make_score, {"score"}},
      {make_recommend, {"recommend"}},
      {make_similar, {"similar"}},
      {make_export, {}},
      {make_doctor, {"doctor", "cache"}},
      {make_compare, {"compare", "training", "cache"}, of_a_plan},
      {make_study, {"study", "training", "cache"}, of_a_plan},
      {make_runs, {}},
      {make_report, {}},
      {make_methods, {}},
      {make_forget, {"cache"}},
  };
  return all;
}

TEST(Declarations, EveryVerbHasTheParametersOfItsTwin) {
  for (const Twin& twin : twins()) {
    CLI::App app;
    const auto verb = twin.make(app);
    const std::vector<std::string> list = verb->parameters();
    Names flags(list.begin(), list.end()), told = names_of_groups(twin.groups);
    EXPECT_EQ(flags.erase("threads"), 1U) << "an argument of the library's functions";
    flags.erase("force");  // of files; a caller of the library says which file it wants written
    for (const std::string& name : flags) EXPECT_TRUE(told.contains(name)) << verb->app().get_name() << " " << name;
    for (const std::string& name : told) {
      const bool left_to_the_plan = twin.not_told.contains(name) && !flags.contains(name);
      EXPECT_TRUE(flags.contains(name) || left_to_the_plan) << verb->app().get_name() << " lacks " << name;
    }
  }
}

class Tiny : public ::testing::Test {
 protected:
  // The library takes every parameter of the group, at its default.
  template <class Call>
  void each(const std::string& group, Call call) {
    int count = 0;
    for (const auto& groups : {parameter_groups(), lab_parameter_groups()}) {
      for (const ParameterGroup& g : groups) {
        for (const ParameterInfo& p : g.parameters) {
          if (g.name != group) continue;
          ++count;
          EXPECT_NO_THROW(call(Parameters{{p.name, p.default_value}})) << group << " " << p.name;
        }
      }
    }
    EXPECT_GT(count, 0) << group;
  }

  const Data data_ = Data::simulate({{"users", "40"}, {"items", "12"}, {"width", "2"}});
  test::TempFolder folder_;
};

TEST_F(Tiny, FunctionsTakeEveryParameterOfTheirVerb) {
  TrainOptions options{.method = "mean", .base = ""};
  const Model model = Model::train(data_, options);
  each("simulate", [](const Parameters& p) { Data::simulate(p); });
  each("evaluate", [&](const Parameters& p) { model.evaluate(data_, p); });
  each("score", [&](const Parameters& p) { model.score(data_.users(), data_.users(), p); });
  each("recommend", [&](const Parameters& p) { model.recommend("u1", p); });
  options = {.method = "base", .base = "gmf", .parameters = {{"epochs", "1"}}};
  const Model vectors = Model::train(data_, options);
  each("similar", [&](const Parameters& p) { vectors.similar("i1", p); });
  each("doctor", [&](const Parameters& p) { diagnose(data_, p); });
  std::string csv = "user,item,label\n";
  for (int r = 0; r < 60; ++r)
    csv += "u" + std::to_string(r / 6) + ",i" + std::to_string(r % 6) + "," + (r % 5 < 2 ? "1\n" : "0\n");
  const std::string path = folder_.file("log.csv", csv);
  each("open", [&](const Parameters& p) {
    Parameters all = p;
    all.emplace("cache_folder", folder_ / "cache");
    Data::open(path, all);
  });
  each("csv", [&](const Parameters& p) { Data::import("csv", {path}, p); });
}

TEST_F(Tiny, TrainingTakesEveryParameterOfItsParts) {
  for (const ParameterGroup& group : parameter_groups()) {
    if (group.kind != "method" && group.kind != "base model" && group.kind != "part") continue;
    if (group.name == "reading") continue;  // of the data's, which is open already
    TrainOptions options{.method = group.kind == "method" ? group.name : "base",
                         .base = group.kind == "base model" ? group.name : "gmf"};
    if (options.method == "popularity" || options.method.starts_with("mean")) options.base = "";
    for (const ParameterInfo& p : group.parameters) {
      if (p.name == "checkpoint_seconds") continue;
      options.parameters = {{"epochs", options.method == "att" ? "6" : "1"}};
      options.parameters[p.name] = p.name == "epochs" ? "1" : p.default_value;
      EXPECT_NO_THROW(Model::train(data_, options)) << group.name << " " << p.name;
    }
  }
}

TEST_F(Tiny, ComparisonsTakeEveryParameterOfTheirVerb) {
  int number = 0;
  each("compare", [&](const Parameters& p) {
    Parameters all = {{"budget", "1"},     {"seeds", "1"},   {"epochs", "1"},
                      {"replicates", "2"}, {"bases", "gmf"}, {"allow", "all"}};
    for (const auto& [name, value] : p) {
      if (name != "budget" && name != "seeds" && name != "replicates" && name != "allow") all[name] = value;
    }
    const Runs runs = compare({data_}, {.out = folder_ / std::to_string(number++),
                                        .methods = "base",
                                        .parameters = all,
                                        .values = {},
                                        .callbacks = {}});
    EXPECT_GE(runs.table().size(), 3U);
    EXPECT_NE(runs.html().find("<html"), std::string::npos);
  });
}

}  // namespace
}  // namespace equipoise::cli
