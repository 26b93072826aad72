// The metrics against an independent computation in Python, for all protocols, ties included.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/file.h"
#include "core/text.h"
#include "eval/candidates.h"
#include "eval/evaluation.h"
#include "eval/toy.h"

namespace equipoise {
namespace {

constexpr const char* kPython = "/usr/bin/python3";

/// Above the folder the test runs in: __FILE__ would not do, because a compiler's cache may make it relative.
std::filesystem::path project_folder() {
  std::filesystem::path folder = std::filesystem::current_path();
  while (!std::filesystem::exists(folder / "tests" / "python") && folder.has_relative_path())
    folder = folder.parent_path();
  return folder;
}

/// Writes pairs, scores and the evaluation, changed by `change`, and gives the exit status of the check.
int check(const Dataset& data, const Scorer& scorer, const std::string& protocol, double change) {
  const std::filesystem::path script = project_folder() / "tests" / "python" / "check_metrics.py";
  const std::string folder = testing::TempDir() + "equipoise_independent_" + std::to_string(getpid());
  make_folder(folder);
  EvaluationPlan plan;
  plan.protocol = protocol;
  plan.replicates = 0;
  Pool pool(1);
  Evaluation evaluation = evaluate(scorer, data, plan, pool);
  for (MetricResult& metric : evaluation.metrics) metric.mean += metric.name == "recall" ? change : 0;
  const Candidates candidates(data, parse_protocol(protocol), plan.part, plan.seed);
  ListBlock block;
  candidates.fill(0, static_cast<std::size_t>(-1), block);
  std::vector<float> scores(block.pairs());
  scorer.score(block.user, block.item, scores);
  std::string text = "user,item,score\n";
  for (std::size_t p = 0; p < scores.size(); ++p) {
    text += data.users.name(block.user[p]) + "," + data.items.name(block.item[p]) + "," + to_text(scores[p]) + "\n";
  }
  const std::string pairs = join_path(folder, "pairs.csv"), scored = join_path(folder, "scores.csv"),
                    result = join_path(folder, "evaluation.json");
  write_pairs(pairs, candidates);
  write_file(scored, text);
  write_file(result, to_json(evaluation).dump());
  const std::string command =
      std::string(kPython) + " '" + script.string() + "' '" + pairs + "' '" + scored + "' '" + result + "' > /dev/null";
  const int status = std::system(command.c_str());
  std::filesystem::remove_all(folder);
  return status;
}

TEST(Independent, PythonAgrees) {
  if (std::system((std::string(kPython) + " -c 'import numpy' 2> /dev/null").c_str()) != 0) {
    GTEST_SKIP() << "no python3 with numpy at " << kPython;
  }
  const Dataset data = coin_data(60, 40, 15);
  for (const char* protocol : {"test-items", "sampled:19", "full"}) {
    EXPECT_EQ(check(data, coarse_scorer(1), protocol, 0), 0) << protocol;
    EXPECT_EQ(check(data, coarse_scorer(1, 100000), protocol, 0), 0) << protocol;
    EXPECT_EQ(check(data, constant_scorer(), protocol, 0), 0) << protocol;
  }
  EXPECT_NE(check(data, coarse_scorer(1), "test-items", 2e-6), 0) << "the check must see a difference";
}

}  // namespace
}  // namespace equipoise
