// A training run as people ask for it: presets and parameters, what is said of the data, files, leaks.
#include "app/train.h"

#include <gtest/gtest.h>

#include "app/evaluate.h"
#include "app/recommend.h"
#include "core/error.h"
#include "core/file.h"
#include "data/temp_folder.h"
#include "logs.h"
#include "stopping.h"

namespace equipoise::test {
namespace {

Given given(std::initializer_list<std::pair<const char*, const char*>> values) {
  Given out;
  for (const auto& [name, value] : values) out.add(name, value);
  return out;
}

bool says(const std::vector<std::string>& lines, const std::string& words) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const auto& line) { return line.find(words) != std::string::npos; });
}

TEST(TrainJob, TakesPresetsFirstAndWhatIsGivenAfter) {
  TrainJob job("cbr", "gmf", "paper");
  Given values = given({{"biases", "true"}, {"epochs", "1"}, {"nonsense", "1"}});
  job.apply(values);
  EXPECT_THROW(values.refuse_leftovers(job.title(), {}), UsageError);
  const Trained trained = job.run(known_log(30, 8), {}, one_thread());
  const Params& params = trained.recommender->recipe().params();
  EXPECT_EQ(params.at("item_weight_power").text(), "1") << "of the preset";
  EXPECT_EQ(params.at("biases").text(), "true") << "given is stronger";
  EXPECT_EQ(trained.to_json().at("epochs").as_int(), 1);
  EXPECT_THROW(TrainJob("cbr", "gmf", "papers"), UsageError);
}

TEST(TrainJob, SaysHowManyRowsLeakAndThatNothingValidates) {
  Dataset data = known_log(30, 8);
  data.valid.clear();
  data.test = data.train.select({0, 1, 2});
  const Hearing hearing;
  TrainJob job("mean", "", "");
  const Trained trained = job.run(data, {}, one_thread());
  EXPECT_TRUE(says(hearing.warnings, "no validation part"));
  EXPECT_TRUE(says(hearing.warnings, "3 rows of train have a pair that is in valid or test"));
  EvaluateParams params;
  evaluate(*trained.recommender, "it", data, params, one_thread());
  EXPECT_TRUE(says(hearing.warnings, "it was trained on 3 of the 3 pairs of test"));
}

TEST(TrainJob, SaysWhatHasNoEffect) {
  const Dataset data = known_log(30, 8);
  const auto heard = [&](std::initializer_list<std::pair<const char*, const char*>> values) {
    const Hearing hearing;
    TrainJob job("base", "gmf", "");
    Given all = given(values);
    all.add("epochs", "1");
    job.apply(all);
    job.run(data, {}, one_thread());
    return hearing.warnings;
  };
  const auto idle = heard({{"history", "none"}, {"lambda_history", "0.1"}, {"history_most", "7"}, {"negatives", "9"}});
  EXPECT_TRUE(says(idle, "lambda_history = 0.1 has no effect: history is none"));
  EXPECT_TRUE(says(idle, "history_most = 7 has no effect: history is none"));
  EXPECT_TRUE(says(idle, "negatives = 9 has no effect: loss fits the labels"));
  EXPECT_FALSE(says(idle, "history_power")) << "nobody set it";
  const auto used = heard({{"history", "both"}, {"lambda_history", "0.1"}, {"loss", "bpr"}, {"negatives", "9"}});
  EXPECT_FALSE(says(used, "has no effect"));
  EXPECT_TRUE(says(heard({{"loss", "bpr"}, {"negative_weight", "2"}}), "negative_weight = 2 has no effect"));
}

TEST(TrainJob, LeavesItsModelAndNoCheckpoint) {
  const TempFolder folder;
  const Dataset data = known_log(30, 8);
  const TrainFiles files{folder / "model", folder / "checkpoint", false};
  folder.file("checkpoint", "of a run before");
  const Hearing hearing;
  TrainJob job("base", "gmf", "");
  Given values = given({{"epochs", "1"}});
  job.apply(values);
  const Trained trained = job.run(data, files, one_thread());
  EXPECT_TRUE(says(hearing.warnings, "is left from an interrupted run"));
  EXPECT_FALSE(file_exists(files.checkpoint));
  EXPECT_TRUE(read_file(files.model) == trained.recommender->bytes());
  EXPECT_FALSE(hearing.advances.empty());
}

TEST(TrainJob, WritesTheSameFileOfDataThatItTakes) {
  const TempFolder folder;
  const Dataset data = known_log(30, 8);
  for (const char* propensity : {"popularity", "logistic"}) {  // one reads the features that the model has, too
    const auto job_of = [&] {
      TrainJob job("ips", "gmf", "");
      Given values = given({{"epochs", "2"}, {"propensity", propensity}});
      job.apply(values);
      return job;
    };
    job_of().run(data, {folder / "kept", "", false}, one_thread());
    job_of().run_and_take(data, {folder / "taken", "", false}, one_thread(), single_process());
    EXPECT_TRUE(read_file(folder / "kept") == read_file(folder / "taken")) << propensity;
  }
}

TEST(TrainJob, RefusesWhatWouldTakeTooMuchMemory) {
  TrainJob job("base", "gmf", "");
  Given values = given({{"memory_limit", "1K"}});
  job.apply(values);
  EXPECT_THROW(job.run(known_log(30, 8), {}, one_thread()), Error);
}

TEST(RecommendParamsTest, BecomeAQuery) {
  const Dataset data = known_log(30, 8);
  TrainJob job("mean", "", "");
  const Trained trained = job.run(data, {}, one_thread());
  const Hearing hearing;
  RecommendParams params;
  params.k = 3;
  params.candidates = data.items.name(1) + ", " + data.items.name(2) + ",nobody";
  params.exclude = data.items.name(2);
  const ListQuery query = query_of(*trained.recommender, params.request());
  EXPECT_EQ(query.eligible.items(), (std::vector<std::int32_t>{1}));
  EXPECT_EQ(query.k, 3U);
  EXPECT_TRUE(says(hearing.warnings, "candidates: 1 of 3 items are unknown"));
  params.filter = "colour";
  EXPECT_THROW(query_of(*trained.recommender, params.request()), UsageError);
}

}  // namespace
}  // namespace equipoise::test
