// Trials in letters: what comes out is what went in, to the last bit.
#include "compare/trial_letters.h"

#include <gtest/gtest.h>

#include <cmath>

namespace equipoise {
namespace {

TEST(trial_letters, a_job_comes_back) {
  const Job job{{"data \"x\"", "cbr gmf", kSearch, 2, 17}, {{"gamma", "0.1"}, {"lambda", "1e-7"}}, 9};
  const Job back = job_of(to_letter(job));
  EXPECT_FALSE(back.key < job.key || job.key < back.key);
  EXPECT_EQ(back.settings, job.settings);
  EXPECT_EQ(back.epochs, 9);
}

TEST(trial_letters, a_report_comes_back) {
  StoredTrial trial;
  trial.key = {"s", "a", kFinal, 0, 3};
  trial.seed = 0xFFFFFFFFFFFFFFF1;
  trial.settings = {{"gamma", "0.1"}};
  trial.valid = 0.1 + 0.2;
  trial.training = Json::object({{"curve", Json::array({Json(1.0 / 3)})}, {"steps", 5}});
  trial.seconds = 1e-300;
  trial.data = "f00d";
  trial.version = "0.1.0";
  trial.evaluations.push_back(
      {"full", Json::object({{"k", 3}}), {0, 5, 9}, {{"ndcg", {0.1, std::nan(""), 1}}}, {{"auc", {1.0 / 7}}}});
  const TrialReport back = report_of(to_letter(TrialReport{trial, {{true, "a warning"}, {false, "a note"}}}));
  EXPECT_EQ(back.trial.seed, trial.seed);
  EXPECT_EQ(back.trial.valid, trial.valid);
  EXPECT_EQ(back.trial.seconds, trial.seconds);
  EXPECT_EQ(back.trial.training, trial.training);
  EXPECT_EQ(back.trial.settings, trial.settings);
  EXPECT_EQ(back.trial.evaluations.at(0).users, trial.evaluations[0].users);
  EXPECT_EQ(back.trial.evaluations[0].resampled, trial.evaluations[0].resampled);
  EXPECT_EQ(back.trial.evaluations[0].per_user.at("ndcg")[0], 0.1);
  EXPECT_TRUE(std::isnan(back.trial.evaluations[0].per_user.at("ndcg")[1]));
  EXPECT_EQ(back.said, (std::vector<std::pair<bool, std::string>>{{true, "a warning"}, {false, "a note"}}));
}

TEST(trial_letters, a_failed_trial_has_no_number) {
  StoredTrial trial;
  trial.failed = true;
  trial.error = "diverged";
  trial.valid = std::nan("");
  const StoredTrial back = report_of(to_letter(TrialReport{trial, {}})).trial;
  EXPECT_TRUE(back.failed && std::isnan(back.valid));
  EXPECT_EQ(back.error, "diverged");
}

}  // namespace
}  // namespace equipoise
