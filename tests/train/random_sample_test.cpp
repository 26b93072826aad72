// Training with a random sample: what is learned from one half of valid, what is judged by the other, what is kept.
#include "data/temp_folder.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

/// The methods that learn from a random sample, on gmf.
std::vector<Case> sampled_cases() {
  std::vector<Case> out;
  for (const Case& c : cases()) {
    if (make_method(c.method)->needs().random && c.base == "gmf") out.push_back(c);
  }
  return out;
}

class WithRandomSample : public ::testing::TestWithParam<Case> {
 protected:
  /// The log with the labels of some rows of valid turned over.
  static Dataset turned(Dataset data, const Rows& some) {
    for (std::size_t r = 0; r < data.valid.size(); ++r) {
      for (std::size_t s = 0; s < some.size(); ++s) {
        if (some.user[s] == data.valid.user[r] && some.item[s] == data.valid.item[r]) {
          data.valid.label[r] = 1 - data.valid.label[r];
        }
      }
    }
    return data;
  }
  std::vector<float> trained(const Dataset& data) const {
    TrainParams train;
    train.epochs = 1;
    train.batch_size = 32;
    return scores_of(*train_case(GetParam(), data, train).recommender, data.test);
  }

  Dataset data_ = known_log(60, 12);
};

TEST_P(WithRandomSample, OneHalfTeachesAndTheOtherJudges) {
  const RandomHalves halves = random_halves(data_);
  const std::vector<float> plain = trained(data_);
  EXPECT_NE(trained(turned(data_, halves.learned)), plain);
  if (GetParam().method != "recalibration") {  // its form is chosen by the other half, its numbers are not
    EXPECT_EQ(trained(turned(data_, halves.judging)), plain);
  }
  Dataset other = data_;
  for (float& label : other.test.label) label = 1 - label;
  EXPECT_EQ(trained(other), plain) << "test rows reach nothing";
}

TEST_P(WithRandomSample, TheModelTellsWhichRowsWereUsedForWhat) {
  TrainParams train;
  train.epochs = 2;
  const Trained out = train_case(GetParam(), data_, train);
  const Json& sample = out.recommender->training.at("random_sample");
  const RandomHalves halves = random_halves(data_);
  EXPECT_EQ(sample.at("part").as_string(), "valid");
  EXPECT_EQ(sample.at("rows_learned_from").as_int(), static_cast<std::int64_t>(halves.learned.size()));
  EXPECT_EQ(sample.at("rows_judging").as_int(), static_cast<std::int64_t>(halves.judging.size()));
  EXPECT_NEAR(out.result.best_metric, counted_auc(*out.recommender, halves.judging), 1e-9);
  const Trained base = train_case({"base", "gmf"}, data_, train);
  EXPECT_EQ(base.recommender->training.find("random_sample"), nullptr);
}

TEST_P(WithRandomSample, AValidationPartCutFromTheLogIsRefused) {
  data_.provenance["test_part"] = "resampled";
  EXPECT_THROW(trained(data_), DataError);
}

INSTANTIATE_TEST_SUITE_P(Table, WithRandomSample, ::testing::ValuesIn(sampled_cases()), case_name);

}  // namespace
}  // namespace equipoise::test
