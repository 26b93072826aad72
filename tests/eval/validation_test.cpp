// The training-time metric gives what a whole evaluation gives.
#include "eval/validation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "eval/evaluation.h"
#include "eval/toy.h"
#include "recommender/seen.h"

namespace equipoise {
namespace {

TEST(ValidationMetric, IsTheEvaluationsMeanForEveryMetric) {
  const Dataset data = coin_data(60, 30, 8);
  EvaluationPlan plan;
  plan.part = Part::valid;
  plan.k = 2;
  plan.replicates = 0;
  Pool pool(1);
  for (const MetricInfo& entry : metric_table()) {
    ValidationMetric metric(data, Part::valid, entry.name, 2);
    for (const std::uint64_t seed : {1, 2}) {
      const FunctionScorer scorer = coarse_scorer(seed);
      EXPECT_EQ(metric(scorer), evaluate(scorer, data, plan, pool).mean(entry.name)) << entry.name;
    }
  }
}

TEST(ValidationMetric, KnowsWhichWayIsBetter) {
  const Dataset data = coin_data(20, 30, 8);
  const ValidationMetric auc(data, Part::valid, "auc", 10), loss(data, Part::valid, "log_loss", 10);
  EXPECT_TRUE(auc.better(0.7, 0.6));
  EXPECT_FALSE(auc.better(0.7, 0.7));
  EXPECT_TRUE(loss.better(0.6, 0.7));
  EXPECT_TRUE(auc.better(0.1, std::nan("")));
  EXPECT_FALSE(auc.better(std::nan(""), 0.1));
}

TEST(ValidationMetric, SaysWhatItCannotMeasure) {
  Dataset data = empty_data(2, 3);
  EXPECT_THROW(ValidationMetric(data, Part::valid, "auc", 10), DataError);
  add_row(data.valid, 0, 1, 0);
  EXPECT_THROW(ValidationMetric(data, Part::valid, "auc", 10), DataError);
  EXPECT_THROW(ValidationMetric(data, Part::valid, "ndcg", 10), DataError);
  EXPECT_NO_THROW(ValidationMetric(data, Part::valid, "log_loss", 10));
  EXPECT_THROW(ValidationMetric(data, Part::valid, "accuracy", 10), UsageError);
  ValidationMetric loss(data, Part::valid, "log_loss", 10);
  EXPECT_THROW(loss(constant_scorer(NAN)), CheckError);
}

/// Valid has positives only; one of them is in train, too.
Dataset positives_only() {
  Dataset data = coin_data(60, 30, 8);
  data.positives_only = true;
  for (float& label : data.train.label) label = 1;
  for (float& label : data.valid.label) label = 1;
  add_row(data.train, data.valid.user[0], data.valid.item[0], 1);
  return data;
}

/// Gives lists by itself, as a recommender does.
class ListingScorer : public FunctionScorer {
 public:
  ListingScorer(const Dataset& data, std::function<double(int, int)> f) : FunctionScorer(std::move(f)), data_(data) {}
  bool lists(std::span<const std::int32_t> users, std::size_t k, TakeList take) const override {
    ++asked;
    const Seen seen = seen_of(data_);
    for (std::size_t u = 0; u < users.size(); ++u) {
      std::vector<Recommended> list;
      for (std::int32_t i = 0; i < data_.items.size(); ++i) {
        const auto had = seen.of(users[u]);
        if (std::binary_search(had.begin(), had.end(), i)) continue;
        float score = 0;
        this->score(users.subspan(u, 1), std::span(&i, 1), std::span(&score, 1));
        list.push_back({i, score});
      }
      std::stable_sort(list.begin(), list.end(), [](auto a, auto b) { return a.score > b.score; });
      list.resize(std::min(k, list.size()));
      take(u, list);
    }
    return true;
  }
  mutable int asked = 0;

 private:
  const Dataset& data_;
};

TEST(ValidationMetric, RanksTheCatalogueWhereThePartHasPositivesOnly) {
  const Dataset data = positives_only();
  EvaluationPlan plan;
  plan.part = Part::valid;
  plan.protocol = own_protocol(data, Part::valid);
  EXPECT_EQ(plan.protocol, "full");
  plan.k = 4;
  plan.replicates = 0;
  Pool pool(1);
  for (const int levels : {4, 100000}) {  // many ties, and none
    const auto coarse = [levels](int user, int item) {
      Stream stream(3, "coarse", static_cast<std::uint64_t>(user), static_cast<std::uint64_t>(item));
      return static_cast<double>(stream.below(static_cast<std::uint32_t>(levels)));
    };
    const FunctionScorer plain(coarse);
    const ListingScorer listing(data, coarse);
    const Evaluation expected = evaluate(plain, data, plan, pool);
    for (const char* name : {"ndcg", "recall", "precision", "hit_rate", "mrr", "auc"}) {
      ValidationMetric metric(data, Part::valid, name, 4);
      EXPECT_TRUE(metric.over_catalogue());
      EXPECT_NEAR(metric(plain), expected.mean(name), 1e-12) << name;
      EXPECT_NEAR(metric(listing), expected.mean(name), 1e-12) << name << " by lists, " << levels;
    }
    EXPECT_EQ(listing.asked, 4) << "mrr and auc need every score";
  }
  EXPECT_NE(ValidationMetric(data, Part::valid, "ndcg", 10).sentence().find("of 60 of 60 users"), std::string::npos);
}

TEST(ValidationMetric, WhatTheLogWithholdsIsNotRanked) {
  Dataset data = positives_only();
  const auto users = static_cast<std::size_t>(data.users.size()), items = static_cast<std::size_t>(data.items.size());
  data.withheld = {std::vector<std::uint8_t>(users), std::vector<std::uint8_t>(items)};
  for (std::size_t u = 0; u < users; u += 2) data.withheld.users[u] = 1;
  for (std::size_t i = 0; i < items / 2; ++i) data.withheld.items[i] = 1;
  const Candidates candidates(data, parse_protocol("full"), Part::valid, 1);
  ListBlock block;
  for (std::size_t slot = 0; slot < candidates.users(); ++slot) candidates.append(slot, block);
  std::size_t withheld = 0;
  for (std::size_t p = 0; p < block.pairs(); ++p) {
    if (!data.withheld.has(block.user[p], block.item[p])) continue;
    ++withheld;
    EXPECT_TRUE(block.label[p]) << "only what the part itself has";
  }
  EXPECT_GT(withheld, 0u);
  const auto score = [](int user, int item) { return static_cast<double>((user * 7 + item * 13) % 31); };
  ValidationMetric metric(data, Part::valid, "ndcg", 4);
  EXPECT_NEAR(metric(ListingScorer(data, score)), metric(FunctionScorer(score)), 1e-12);
}

TEST(ValidationMetric, TheLabelsOfThePartDecide) {
  Dataset data = positives_only();
  EXPECT_EQ(validation_metric(data, "auto"), "ndcg");
  EXPECT_EQ(validation_metric(data, "mrr"), "mrr");
  EXPECT_EQ(own_protocol(data, Part::test), "test-items") << "both labels, though the log has one";
  data.protocol = "sampled:9";
  EXPECT_EQ(own_protocol(data, Part::valid), "sampled:9");
  const Dataset labelled = coin_data(60, 30, 8);
  EXPECT_EQ(validation_metric(labelled, "auto"), "auc");
  EXPECT_EQ(own_protocol(labelled, Part::valid), "test-items");
  EXPECT_FALSE(ValidationMetric(labelled, Part::valid, "auc", 10).over_catalogue());
  EXPECT_EQ(validation_metric(empty_data(2, 2), "auto"), "auc") << "no rows at all";
}

TEST(ValidationMetric, ManyUsersAreSampled) {
  Dataset data = empty_data(3000, 3);
  for (int u = 0; u < 3000; ++u) add_row(data.valid, u, u % 3, 1);
  ValidationMetric metric(data, Part::valid, "recall", 1);
  EXPECT_NE(metric.sentence().find("of 2,000 of 3,000 users"), std::string::npos) << metric.sentence();
  EXPECT_NEAR(metric(FunctionScorer([](int user, int item) { return item == user % 3; })), 1, 1e-12);
}

}  // namespace
}  // namespace equipoise
