// Headroom: what it samples, that test is not read, and its verdict where there is and where there is none.
#include "doctor/headroom.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/error.h"
#include "core/random.h"
#include "data/simulate/simulate.h"
#include "data/temp_folder.h"
#include "doctor/diagnosis.h"
#include "doctor/headroom_samples.h"

namespace equipoise {
namespace {

/// 120 users, 40 items of which every second one is liked. `hidden`: the log never shows half of the items, good and
/// bad ones alike, so that it cannot tell which of those are liked.
Dataset made(bool hidden) {
  Dataset out;
  out.name = "made";
  Stream draw(9, "headroom");
  for (int u = 0; u < 120; ++u) out.users.add("u" + std::to_string(u));
  for (int i = 0; i < 40; ++i) out.items.add("i" + std::to_string(i));
  for (int u = 0; u < 120; ++u) {
    std::vector<std::int32_t> order(40);
    for (int i = 0; i < 40; ++i) order[static_cast<std::size_t>(i)] = i;
    draw.shuffle(std::span(order));
    int valid = 0;
    for (const std::int32_t i : order) {
      const float label = draw.uniform() < (i % 2 == 0 ? 0.9 : 0.1) ? 1 : 0;
      if (valid < 20) {
        ++valid;
        out.valid.user.push_back(u), out.valid.item.push_back(i), out.valid.label.push_back(label);
      } else if (!hidden || i % 4 < 2) {
        out.train.user.push_back(u), out.train.item.push_back(i), out.train.label.push_back(label);
      }
    }
  }
  out.provenance["test_part"] = "unbiased";
  return out;
}

TEST(HeadroomSamples, EveryUserGivesAsManyRowsOfEachKind) {
  const Dataset data = made(true);
  const std::vector<int> fold_of = random_folds(data.valid, data.users.size(), 5, 1);
  std::size_t judged = 0;
  for (int fold = 0; fold < 5; ++fold) {
    const HeadroomSamples s = headroom_samples(data, fold_of, 5, fold, 100000, 1);
    std::map<int, int> random, first, second;
    for (const int u : s.random.user) ++random[u];
    for (const int u : s.log[0].user) ++first[u];
    for (const int u : s.log[1].user) ++second[u];
    EXPECT_EQ(random, first);
    EXPECT_EQ(random, second);
    EXPECT_GT(s.random.size(), 300u);
    std::set<std::pair<int, int>> pairs;
    for (const Rows* rows : {&s.random, &s.log[0], &s.log[1], &s.stopping, &s.judging}) {
      for (std::size_t r = 0; r < rows->size(); ++r) EXPECT_TRUE(pairs.emplace(rows->user[r], rows->item[r]).second);
    }
    judged += s.judging.size();
    EXPECT_EQ(headroom_samples(data, fold_of, 5, fold, 50, 1).random.size(), 50u);
  }
  EXPECT_EQ(judged, data.valid.size()) << "every random row judges once";
}

TEST(Headroom, FindsWhatTheLogHides) {
  Pool pool(2);
  const Headroom hidden = headroom(made(true), {}, 1, pool);
  EXPECT_GT(hidden.gap.value, 0.03);
  EXPECT_LT(hidden.gap.p_value, 0.05);
  const Headroom open = headroom(made(false), {}, 1, pool);
  EXPECT_LT(std::abs(open.gap.value), 4 * open.gap.error + 0.01);
  EXPECT_LT(open.gap.value, hidden.gap.value / 2);
  EXPECT_EQ(open.judged, 2400);
}

TEST(Headroom, ReadsNoTestRowAndDependsOnNoThread) {
  SimulateParams law;
  law.users = 300;
  law.items = 24;
  law.width = 4;
  law.split.valid_share = 0.9;
  Dataset data = simulate(law);
  Pool one(1), two(2);
  HeadroomParams params;
  params.headroom_folds = 3;
  const std::string with = to_json(headroom(data, params, 1, one)).dump();
  EXPECT_EQ(to_json(headroom(data, params, 1, two)).dump(), with);
  for (float& label : data.test.label) label = 1 - label;
  EXPECT_EQ(to_json(headroom(data, params, 1, one)).dump(), with);
}

TEST(Headroom, SaysInWordsThatNothingCanBeGained) {
  Diagnosis d;
  DoctorParams params;
  params.headroom.headroom = true;
  Pool pool(2);
  const Diagnosis found = diagnose(made(false), params, pool);
  ASSERT_TRUE(found.headroom);
  const bool open = found.headroom->gap.p_value >= 0.05;
  bool said = false;
  for (const VerdictLine& line : found.verdict) {
    said = said || line.text.find(open ? "no reweighting can help here" : "headroom") != std::string::npos;
  }
  EXPECT_TRUE(said);
  EXPECT_FALSE(diagnose(made(false), {}, pool).headroom) << "only where it is asked for";
}

TEST(Headroom, NeedsARandomPart) {
  Pool pool(1);
  const auto refused = [&](const Dataset& data) {
    return test::error_of<DataError>([&] { headroom(data, {}, 1, pool); });
  };
  Dataset cut = made(false);
  cut.provenance["test_part"] = "resampled";
  EXPECT_NE(refused(cut).find("it was cut from the log"), std::string::npos);
  Dataset few = made(false);
  few.valid = few.valid.select({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30, 31, 32});
  EXPECT_NE(refused(few).find("it has 13 rows, expected 200"), std::string::npos);
  Dataset clicks = made(false);
  clicks.positives_only = true;
  EXPECT_NE(refused(clicks).find("positives only"), std::string::npos);
}

}  // namespace
}  // namespace equipoise
