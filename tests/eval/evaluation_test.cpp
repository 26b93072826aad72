// Whole evaluations: known scorers under each protocol, intervals, threads, JSON.
#include "eval/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/named.h"
#include "eval/toy.h"

namespace equipoise {
namespace {

const std::vector<std::string> kProtocols = {"test-items", "sampled:9", "full"};

EvaluationPlan quick(const std::string& protocol, int k = 10, int replicates = 50) {
  EvaluationPlan plan;
  plan.protocol = protocol;
  plan.k = k;
  plan.replicates = replicates;
  return plan;
}

/// +3 for positives of the test part, −3 otherwise, times `sign`.
FunctionScorer truth(const Dataset& data, double sign) {
  std::vector<double> label(static_cast<std::size_t>(data.users.size() * data.items.size()), -3);
  for (std::size_t r = 0; r < data.test.size(); ++r) {
    if (data.test.label[r] > 0)
      label[static_cast<std::size_t>(data.test.user[r] * data.items.size() + data.test.item[r])] = 3;
  }
  const int items = data.items.size();
  return FunctionScorer([=](int u, int i) { return sign * label[static_cast<std::size_t>(u * items + i)]; });
}

TEST(Evaluation, ConstantScorerIsARandomOrder) {
  const Dataset data = coin_data(50, 30, 8);
  Pool pool(1);
  for (const std::string& protocol : kProtocols) {
    const Evaluation e = evaluate(constant_scorer(), data, quick(protocol), pool);
    EXPECT_DOUBLE_EQ(e.mean("auc"), 0.5) << protocol;
    EXPECT_DOUBLE_EQ(e.mean("user_auc"), 0.5) << protocol;
    EXPECT_DOUBLE_EQ(e.at("auc").low, 0.5);
    EXPECT_DOUBLE_EQ(e.at("auc").high, 0.5);
    EXPECT_NEAR(e.mean("log_loss"), std::log(2.0), 1e-12);
    EXPECT_DOUBLE_EQ(e.mean("mse"), 0.25);
  }
  // One positive against 9 others, k = 3: NDCG = (1 + 1/log2 3 + 1/2) / 10.
  const Evaluation e = evaluate(constant_scorer(), data, quick("sampled:9", 3), pool);
  EXPECT_NEAR(e.mean("ndcg"), (1 + 1 / std::log2(3.0) + 0.5) / 10, 1e-12);
  EXPECT_NEAR(e.mean("recall"), 0.3, 1e-12);
  EXPECT_NEAR(e.mean("hit_rate"), 0.3, 1e-12);
}

TEST(Evaluation, PerfectAndReversed) {
  const Dataset data = coin_data(50, 30, 8);
  Pool pool(1);
  for (const std::string& protocol : kProtocols) {
    const Evaluation best = evaluate(truth(data, 1), data, quick(protocol), pool);
    for (const char* metric : {"auc", "acc", "ndcg", "recall", "hit_rate", "mrr", "map", "user_auc"}) {
      EXPECT_NEAR(best.mean(metric), 1, 1e-12) << protocol << " " << metric;
    }
    const Evaluation worst = evaluate(truth(data, -1), data, quick(protocol), pool);
    for (const char* metric : {"auc", "acc", "user_auc"}) EXPECT_NEAR(worst.mean(metric), 0, 1e-12) << protocol;
  }
}

TEST(Evaluation, HandComputedMeans) {
  // u0: scores 2 1 0, labels 0 1 0; u1: one positive; u2: no positive, left out of ranking.
  Dataset data = empty_data(3, 4);
  add_row(data.test, 0, 0, 0);
  add_row(data.test, 0, 1, 1);
  add_row(data.test, 0, 2, 0);
  add_row(data.test, 1, 3, 1);
  add_row(data.test, 2, 0, 0);
  for (int times = 0; times < 4; ++times) add_row(data.train, 1, 0, 1);
  add_row(data.train, 1, 3, 1);
  Pool pool(1);
  const FunctionScorer scorer([](int, int item) { return 2 - item; });
  const Evaluation e = evaluate(scorer, data, quick("test-items", 1, 0), pool);
  EXPECT_EQ(e.users.size(), 3u);
  EXPECT_EQ(e.users_left_out, 1u);
  EXPECT_EQ(e.lists, 3u);
  EXPECT_EQ(e.pairs, 5u);
  EXPECT_DOUBLE_EQ(e.mean("ndcg"), 0.5);
  EXPECT_DOUBLE_EQ(e.mean("mrr"), 0.75);
  EXPECT_DOUBLE_EQ(e.mean("user_auc"), 0.5);
  EXPECT_DOUBLE_EQ(e.mean("auc"), 1.0 / 6);  // positives 1, −1; negatives 2, 0, 2
  EXPECT_DOUBLE_EQ(e.mean("acc"), 0.2);      // only (u0, i1): i2 has logit 0 and counts as called positive
  // Whole lists: i0 for u0 and u2, and i1 for u1, who has had i0 in train.
  EXPECT_DOUBLE_EQ(e.mean("coverage"), 0.5);
  EXPECT_DOUBLE_EQ(e.mean("mean_popularity"), (4 + 0 + 4) / 3.0);
  EXPECT_EQ(e.list_users, 3u);
  EXPECT_TRUE(std::isnan(e.at("ndcg").low));
  EXPECT_TRUE(std::isnan(e.per_user.at("ndcg")[2]));
  EXPECT_DOUBLE_EQ(e.per_user.at("mrr")[0], 0.5);
}

TEST(Evaluation, WhatIsShownOfEqualScoresGoesByTheirIds) {
  Dataset data;  // in the order of the file c, b, a: what is shown is a
  data.users.add("u");
  for (const char* item : {"c", "b", "a"}) {
    add_row(data.test, 0, data.items.add(item), 1);
  }
  data.users.add("another");
  for (const int item : {0, 0, 0, 1, 1, 2}) add_row(data.train, 1, item, 1);
  Pool pool(1);
  const Evaluation first = evaluate(constant_scorer(), data, quick("test-items", 1, 0), pool);
  EXPECT_DOUBLE_EQ(first.mean("mean_popularity"), 1);
  const Evaluation two = evaluate(constant_scorer(), data, quick("test-items", 2, 0), pool);
  EXPECT_DOUBLE_EQ(two.mean("mean_popularity"), 1.5);
}

TEST(Evaluation, SeveralKAreThoseOfOneEach) {
  const Dataset data = coin_data(50, 30, 8);
  Pool pool(2);
  EvaluationPlan plan = quick("test-items", 3, 20);
  plan.more_k = {5, 1, 5};
  const Evaluation all = evaluate(coarse_scorer(2), data, plan, pool);
  EXPECT_EQ(all.k, 3);
  EXPECT_EQ(all.more_k, (std::vector<int>{5, 1}));
  for (const int k : {3, 5, 1}) {
    const Evaluation one = evaluate(coarse_scorer(2), data, quick("test-items", k, 20), pool);
    for (const MetricInfo& metric : metric_table()) {
      const std::string name = k == 3 || !metric.cut_at_k ? metric.name : metric_label(metric.name, k);
      EXPECT_EQ(all.mean(name), one.mean(metric.name)) << name;
      EXPECT_EQ(all.at(name).low, one.at(metric.name).low) << name;
      EXPECT_EQ(all.resampled.at(name), one.resampled.at(metric.name)) << name;
      if (!metric.per_list()) continue;
      for (std::size_t u = 0; u < all.users.size(); ++u) {
        const double a = all.per_user.at(name)[u], b = one.per_user.at(metric.name)[u];
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << name << " of user " << u;
      }
    }
  }
  EXPECT_FALSE(to_json(all).at("metrics").at("ndcg@5").at("mean").is_null());
  EXPECT_EQ(to_json(all).at("metrics").find("auc@5"), nullptr);
  EXPECT_THROW(metric_of_name("auc@5"), UsageError);
  EXPECT_EQ(&metric_of_name("ndcg@5"), &find_metric("ndcg"));
}

TEST(Evaluation, UsersWithoutAPositiveMayCountAsNdcgOne) {
  Dataset data = empty_data(4, 4);  // NDCG at 1: u0 has 0, u1 has 1; u2 and u3 have no positive
  add_row(data.test, 0, 0, 0);
  add_row(data.test, 0, 1, 1);
  add_row(data.test, 1, 3, 1);
  add_row(data.test, 2, 0, 0);
  add_row(data.test, 3, 0, 0);
  Pool pool(1);
  const FunctionScorer scorer([](int, int item) { return 2 - item; });
  EvaluationPlan plan = quick("test-items", 1, 0);
  const Evaluation left_out = evaluate(scorer, data, plan, pool);
  plan.count_empty = true;
  const Evaluation counted = evaluate(scorer, data, plan, pool);
  EXPECT_DOUBLE_EQ(left_out.mean("ndcg"), 0.5);
  // Theirs = (1 − s) · ours + s, with s = 2/4.
  EXPECT_DOUBLE_EQ(counted.mean("ndcg"), 0.5 * 0.5 + 0.5);
  EXPECT_DOUBLE_EQ(counted.per_user.at("ndcg")[2], 1);
  EXPECT_DOUBLE_EQ(counted.mean("recall"), left_out.mean("recall")) << "NDCG alone has that convention";
  EXPECT_EQ(to_json(counted).at("ndcg_empty").as_string(), "one");
  plan.protocol = "sampled:2";  // where users without a positive have no list
  EXPECT_DOUBLE_EQ(evaluate(scorer, data, plan, pool).per_user.at("ndcg")[3], 1);
}

TEST(Evaluation, WhatIsShownIsOfWholeListsWhateverIsRanked) {
  const Dataset data = coin_data(40, 30, 8);
  Pool pool(1);
  const Evaluation own = evaluate(coarse_scorer(1), data, quick("test-items", 3, 5), pool);
  for (const char* protocol : {"sampled:5", "full"}) {
    const Evaluation other = evaluate(coarse_scorer(1), data, quick(protocol, 3, 5), pool);
    for (const char* metric : {"coverage", "gini", "mean_popularity"}) {
      EXPECT_EQ(own.mean(metric), other.mean(metric)) << protocol << " " << metric;
    }
  }
  const Json said = to_json(own);
  EXPECT_NE(caption(said).find("whole lists (all items but those of train) of 40 of 40 users"), std::string::npos);
  EXPECT_NE(caption(said).find("Protocol test-items, test part"), std::string::npos);
}

TEST(Evaluation, TheCaptionSaysHowThePartsWereMade) {
  Dataset data = coin_data(20, 30, 8);
  data.provenance["split"] = "per user 70/10/20";
  Pool pool(1);
  const Evaluation e = evaluate(coarse_scorer(1), data, quick("full", 3, 0), pool);
  EXPECT_NE(caption(e).find("(parts: per user 70/10/20)"), std::string::npos) << caption(e);
  EXPECT_EQ(caption(Json::object({{"protocol", "full"}, {"part", "test"}})), "Protocol full, test part.")
      << "what an earlier program kept";
}

TEST(Evaluation, AucOfUsersWeightedByTheirPairs) {
  Dataset data = empty_data(3, 6);
  for (int i = 0; i < 5; ++i) add_row(data.test, 0, i, i == 1 || i == 3);  // scores 5 4 3 2 1: wins 2 + 1 of 2·3 pairs
  add_row(data.test, 1, 0, 1);                                             // 1 of 1 pair
  add_row(data.test, 1, 1, 0);
  add_row(data.test, 2, 0, 1);  // no negative: left out
  Pool pool(1);
  const FunctionScorer scorer([](int, int item) { return 5 - item; });
  const Evaluation e = evaluate(scorer, data, quick("test-items", 10, 0), pool);
  EXPECT_DOUBLE_EQ(e.mean("user_auc"), (3.0 / 6 + 1) / 2);
  EXPECT_DOUBLE_EQ(e.mean("auc_user_weighted"), (3.0 + 1) / (6 + 1));
  EXPECT_DOUBLE_EQ(e.per_user.at("auc_user_weighted")[0], 0.5);
  EXPECT_TRUE(std::isnan(e.per_user.at("auc_user_weighted")[2]));
}

TEST(Evaluation, CountsTheListsThatKHolds) {
  Dataset data = empty_data(4, 30);  // lists of 1, 2, 3 and 30 items: 9 on average
  int user = 0;
  for (const int length : {1, 2, 3, 30}) {
    for (int i = 0; i < length; ++i) add_row(data.test, user, i, i == 0);
    ++user;
  }
  Pool pool(1);
  const Evaluation e = evaluate(constant_scorer(), data, quick("test-items", 3, 0), pool);
  EXPECT_EQ(e.lists_within_k, 3u);
  EXPECT_EQ(to_json(e).at("lists_within_k").as_int(), 3);
  EXPECT_EQ(evaluate(constant_scorer(), data, quick("test-items", 2, 0), pool).lists_within_k, 2u);
  EXPECT_EQ(evaluate(constant_scorer(), data, quick("sampled:2", 3, 0), pool).lists_within_k, 4u);
  EXPECT_EQ(evaluate(constant_scorer(), data, quick("full", 3, 0), pool).lists_within_k, 0u);
}

TEST(Evaluation, SampledAveragesListsThenUsers) {
  Dataset data = empty_data(2, 6);
  add_row(data.test, 0, 0, 1);  // u0 has two positives: first and last of their lists
  add_row(data.test, 0, 1, 1);
  add_row(data.test, 1, 0, 1);  // u1 has one: first
  Pool pool(1);
  const FunctionScorer scorer([](int, int item) { return item == 0 ? 9.0 : item == 1 ? -9.0 : item; });
  const Evaluation e = evaluate(scorer, data, quick("sampled:2", 1), pool);
  EXPECT_EQ(e.lists, 3u);
  EXPECT_DOUBLE_EQ(e.mean("ndcg"), 0.75);  // (½ + 1) / 2, not ⅔
  EXPECT_DOUBLE_EQ(e.per_user.at("ndcg")[0], 0.5);
}

TEST(Evaluation, SameAtAnyNumberOfThreads) {
  const Dataset data = coin_data(80, 30, 8);
  Pool one(1), three(3);
  for (const std::string& protocol : kProtocols) {
    const Evaluation a = evaluate(coarse_scorer(1), data, quick(protocol), one);
    const Evaluation b = evaluate(coarse_scorer(1), data, quick(protocol), three);
    EXPECT_EQ(to_json(a).dump(), to_json(b).dump());
  }
}

TEST(Evaluation, StreamedAucIsTheKeptOne) {
  const Dataset data = coin_data(200, 30, 8);
  Pool pool(1);
  for (const std::string& protocol : kProtocols) {
    EvaluationPlan plan = quick(protocol, 10, 300);
    const FunctionScorer scorer = coarse_scorer(2);
    const MetricResult kept = evaluate(scorer, data, plan, pool).at("auc");
    plan.most_kept_pairs = 0;
    const MetricResult streamed = evaluate(scorer, data, plan, pool).at("auc");
    EXPECT_NEAR(kept.mean, streamed.mean, 1e-12) << protocol;
    EXPECT_NEAR(kept.low, streamed.low, 0.002) << protocol;
    EXPECT_NEAR(kept.high, streamed.high, 0.002) << protocol;
  }
}

TEST(Evaluation, IntervalsHoldTheMeanAndShrinkWithUsers) {
  Pool pool(1);
  std::map<std::string, double> width;
  for (const int users : {50, 800}) {
    const Dataset data = coin_data(users, 40, 10);
    const Evaluation e = evaluate(coarse_scorer(4, 1000), data, quick("test-items", 5, 300), pool);
    for (const MetricResult& metric : e.metrics) {
      EXPECT_LE(metric.low, metric.mean) << metric.name;
      EXPECT_GE(metric.high, metric.mean) << metric.name;
      if (users == 50) width[metric.name] = metric.high - metric.low;
      // 16 times the users: a quarter of the width. Not for coverage and hit rate, which are near 1, nor for
      // popularity, which counts rows and so grows with the users.
      const bool scales = metric.name != "coverage" && metric.name != "hit_rate" && metric.name != "mean_popularity";
      if (users == 800 && scales) {
        EXPECT_LT(metric.high - metric.low, 0.45 * width[metric.name]) << metric.name;
        EXPECT_GT(metric.high - metric.low, 0.1 * width[metric.name]) << metric.name;
      }
    }
    EXPECT_LT(e.at("auc").low, 0.5);  // labels are coins: the true AUC is one half
    EXPECT_GT(e.at("auc").high, 0.5);
  }
}

TEST(Evaluation, BadOptionsAndScores) {
  const Dataset data = coin_data(5, 20, 4);
  Pool pool(1);
  EXPECT_THROW(evaluate(constant_scorer(), data, quick("test-items", 0), pool), UsageError);
  EXPECT_THROW(evaluate(constant_scorer(), data, quick("test-items", 10, -1), pool), UsageError);
  EXPECT_THROW(evaluate(constant_scorer(), data, quick("nothing"), pool), UsageError);
  EXPECT_THROW(evaluate(constant_scorer(NAN), data, quick("full"), pool), CheckError);
  EXPECT_THROW(evaluate(constant_scorer(INFINITY), data, quick("full"), pool), CheckError);
  EXPECT_THROW(find_metric("aux"), UsageError);
}

TEST(Evaluation, JsonHasTheKeys) {
  Dataset data = empty_data(1, 3);
  add_row(data.test, 0, 1, 1);  // one label only: no AUC
  Pool pool(1);
  const Json json = to_json(evaluate(constant_scorer(), data, quick("test-items"), pool));
  EXPECT_EQ(json.at("protocol").as_string(), "test-items");
  EXPECT_EQ(json.at("k").as_int(), 10);
  EXPECT_EQ(json.at("part").as_string(), "test");
  EXPECT_EQ(json.at("users_left_out").as_int(), 0);
  const std::vector<std::string> names = names_of(metric_table());
  ASSERT_EQ(json.at("metrics").as_object().size(), names.size());
  for (std::size_t m = 0; m < names.size(); ++m) EXPECT_EQ(json.at("metrics").as_object()[m].first, names[m]);
  EXPECT_TRUE(json.at("metrics").at("auc").at("mean").is_null());
  EXPECT_DOUBLE_EQ(json.at("metrics").at("ndcg").at("high").as_double(), 1);
}

}  // namespace
}  // namespace equipoise
