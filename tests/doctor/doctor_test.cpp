// The whole diagnosis: simulated logs, any number of threads, and what is known of the public data sets.
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/stopwatch.h"
#include "data/import_helpers.h"
#include "data/simulate/simulate.h"
#include "doctor/diagnosis.h"
#include "logs.h"
#include "real_data.h"

namespace equipoise {
namespace {

Diagnosis doctor(const Dataset& data, int threads = 1) {
  Pool pool(threads);
  DoctorParams params;
  params.fit_rows = 4000;
  params.exposure.shuffles = 99;
  return diagnose(data, params, pool);
}

bool says(const Diagnosis& d, const std::string& words) {
  for (const VerdictLine& s : d.verdict) {
    if (s.text.find(words) != std::string::npos) return true;
  }
  return false;
}

const PropensityQuality& quality(const Diagnosis& d, const std::string& name) {
  for (const PropensityQuality& q : d.propensities) {
    if (q.name == name) return q;
  }
  throw Error("no propensity " + name);
}

TEST(Doctor, FollowsAlphaOfTheSimulator) {
  SimulateParams params;
  params.users = 2000;
  double last = 1;
  for (const double alpha : {0.0, 0.1, 0.3, 0.5, 0.7, 1.0}) {
    params.alpha = alpha;
    const Diagnosis found = doctor(simulate(params));
    EXPECT_EQ(found.exposure.biased(), alpha < 1) << alpha;
    EXPECT_TRUE(says(found, alpha < 1 ? "exposure is biased" : "exposure looks unbiased")) << alpha;
    EXPECT_EQ(found.gains[0].p_value < 0.001, alpha < 1) << alpha;
    EXPECT_LT(found.gains[0].auc, last) << alpha;
    last = found.gains[0].auc;
    if (alpha < 0.6) {
      EXPECT_NEAR(quality(found, "popularity").calibration->slope, 1, 0.1) << alpha;
    }
    ASSERT_TRUE(found.held_out_items.has_value());
    EXPECT_GT(found.held_out_items->uniformity.p_value, 0.001) << alpha;
  }
  EXPECT_NEAR(last, 0.5, 0.02);
}

TEST(Doctor, SaysWhatALogOfPositivesOnlyIs) {
  SimulateParams params;
  params.users = 500;
  Dataset data = simulate(params);
  data.positives_only = true;
  for (float& label : data.train.label) label = 1;
  const Diagnosis both = doctor(data);  // valid and test have both labels
  EXPECT_FALSE(both.labels.has_value());
  EXPECT_TRUE(says(both, "the log has one label only: each of its"));
  EXPECT_TRUE(says(both, "the tests of label shift are skipped"));
  EXPECT_FALSE(says(both, "labels differ"));
  EXPECT_TRUE(both.held_out_items.has_value());
  EXPECT_TRUE(to_json(both).at("positives_only").as_bool());
  for (Rows* rows : {&data.valid, &data.test}) std::fill(rows->label.begin(), rows->label.end(), 1.0f);
  const Diagnosis one = doctor(data);
  EXPECT_FALSE(one.held_out_items.has_value()) << "more of the log is no random part";
  data.positives_only = false;
  EXPECT_FALSE(says(doctor(data), "one label only"));
}

// Two users of many items each: nothing may take time by users' rows times shuffles, or by items times shuffles.
TEST(Doctor, ComesToAnEndWhereTwoUsersHaveVeryManyItems) {
  for (const std::int32_t every : {1, 1000}) {  // shown all, or few of very many
    Dataset data = test::empty_log("wide", 2, 300000);
    for (int i = 0; i < 300000; i += every) test::add_row(data.train, i / every % 2, i, i / every % 4 < 2);
    Pool pool(1);
    DoctorParams params;
    params.exposure.shuffle_rows = params.fit_rows = 1000;
    const Stopwatch watch;
    const Diagnosis found = diagnose(data, params, pool);
    EXPECT_LT(watch.seconds(), 30);
    EXPECT_EQ(found.train, 300000 / every);
    EXPECT_EQ(found.exposure.shuffled_rows, every == 1 ? 1000 : 300);
  }
}

TEST(Doctor, SaysTheSameAtAnyNumberOfThreads) {
  const Dataset data = test::known_log();
  EXPECT_EQ(to_json(doctor(data, 1)), to_json(doctor(data, 3)));
}

TEST(Doctor, LogsWithoutAnUnbiasedPartOrFeatures) {
  Dataset data = test::known_log(60, 20, 6, false);
  data.valid = data.test = {};
  const Diagnosis found = doctor(data);
  EXPECT_FALSE(found.labels.has_value());
  EXPECT_FALSE(found.held_out_items.has_value());
  EXPECT_EQ(found.gains.size(), 2u);
  EXPECT_TRUE(says(found, "there is no unbiased part"));
  EXPECT_TRUE(says(found, "there are no user features"));
  EXPECT_FALSE(quality(found, "naive-bayes").missing.empty());
  EXPECT_FALSE(quality(found, "given").missing.empty());
  const Json json = to_json(found);
  EXPECT_TRUE(json.at("labels").is_null());
  for (const Json& line : json.at("verdict").as_array()) EXPECT_EQ(line.as_string().find('\n'), std::string::npos);
  EXPECT_NO_THROW(parse_json(json.dump(), "diagnosis"));
}

TEST(Doctor, ALogOfEveryPairAndATinyOne) {
  const Diagnosis whole = doctor(test::whole_log(8, 6, 2));
  EXPECT_FALSE(whole.exposure.biased());
  EXPECT_FALSE(quality(whole, "popularity").missing.empty());
  EXPECT_TRUE(whole.gains.empty());
  EXPECT_EQ(whole.shared.train_repeats, 48);
  EXPECT_THROW(doctor(test::empty_log("none", 3, 3)), DataError);
}

TEST(Doctor, UsersOfOneRowEach) {
  Dataset data = test::empty_log("single", 40, 10);
  for (int u = 0; u < 40; ++u) test::add_row(data.train, u, u % 3, u % 2 == 0);
  const Diagnosis found = doctor(data);
  EXPECT_TRUE(found.exposure.biased());
  EXPECT_TRUE(found.gains.empty());
  EXPECT_FALSE(quality(found, "mf").missing.empty());
}

TEST(DoctorRealData, Coat) {
  NEEDS_REAL_DATA(folder, "coat");
  const Diagnosis found = doctor(test::import_from("coat", {folder}, {{"keep_leaks", "true"}}));
  EXPECT_EQ(found.shared.train_valid + found.shared.train_test, 366);
  EXPECT_EQ(found.shared.other_label, 0);
  EXPECT_TRUE(says(found, "366 pairs occur both in train and in valid or test"));
  EXPECT_TRUE(found.exposure.by_item() && found.exposure.by_user());
  EXPECT_LE(found.exposure.users.find("features_between_items")->p_value, 0.01);
  EXPECT_GT(found.held_out_items->uniformity.p_value, 0.05);
  EXPECT_EQ(found.held_out_items->uniformity.items_present, 300u);
  EXPECT_LT(found.labels->p_value, 0.001);
  EXPECT_GT(found.labels->difference, 0.08);
  EXPECT_TRUE(quality(found, "given").missing.empty());
}

TEST(DoctorRealData, Pcic) {
  NEEDS_REAL_DATA(folder, "pcic");
  const Diagnosis found = doctor(test::import_from("pcic", {folder}));
  EXPECT_EQ(found.shared.leaks_removed, 300);
  EXPECT_EQ(found.shared.leaks(), 0);
  EXPECT_TRUE(says(found, "300 rows of train were removed on import"));
  EXPECT_EQ(found.held_out_items->uniformity.items_present, 395u);
  EXPECT_NEAR(found.held_out_items->rank_correlation, 0.45, 0.01);
  EXPECT_LE(found.held_out_items->uniformity.p_value, 0.001);
  EXPECT_TRUE(says(found, "395 of 1,720 items occur"));
  EXPECT_TRUE(says(found, "there are no user features"));
  EXPECT_TRUE(found.exposure.biased());
}

}  // namespace
}  // namespace equipoise
