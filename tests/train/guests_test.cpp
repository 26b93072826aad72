// Guests: somebody with a user's items and features gets that user's scores and lists, by every path.
#include "data/guests.h"

#include <gtest/gtest.h>

#include "train/training.h"

namespace equipoise::test {
namespace {

class EveryGuest : public ::testing::TestWithParam<Case> {
 protected:
  void train(const Settings& settings) {
    TrainParams params;
    params.epochs = 2 + make_method(GetParam().method)->warm_up();
    params.batch_size = 64;
    recommender_ = Recommender::frozen(train_case(GetParam(), data_, params, 1, {}, settings).recommender, pool_);
  }
  std::vector<float> scores(std::int32_t user, const Guests* guests) const {
    std::vector<std::int32_t> items(static_cast<std::size_t>(data_.items.size()));
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<std::int32_t>(i);
    std::vector<float> out(items.size());
    recommender_->score(std::vector<std::int32_t>(items.size(), user), items, out, one_thread(), guests);
    return out;
  }
  std::vector<std::pair<std::int32_t, float>> list(std::int32_t user, const Guests* guests, bool seen) {
    std::vector<std::pair<std::int32_t, float>> out;
    const ListQuery query{7, seen, {}, guests};
    for (const Recommended& r : recommender_->top_k(user, query, pool_)) out.emplace_back(r.item, r.score);
    return out;
  }

  Dataset data_ = known_log(60, 30, 12);
  Pool pool_{2};
  std::unique_ptr<const Recommender> recommender_;
};

TEST_P(EveryGuest, WhoIsAKnownUserHasTheUsersScoresAndLists) {
  train({{"history", "both"}});
  for (const std::int32_t user : {0, 7, 58}) {
    const Guests guests{{user}, recommender_->items_of(user), {}};
    EXPECT_EQ(scores(0, &guests), scores(user, nullptr));
    for (const bool seen : {false, true}) EXPECT_EQ(list(0, &guests, seen), list(user, nullptr, seen)) << seen;
  }
}

TEST_P(EveryGuest, ListsHaveTheScoresOfTheirPairsAlsoForWhatTheUserHas) {
  train({{"history", "both"}});
  for (std::int32_t user = 0; user < 20; ++user) {
    const std::vector<float> all = scores(user, nullptr);
    std::vector<std::pair<float, std::int32_t>> best;
    for (std::size_t i = 0; i < all.size(); ++i) best.emplace_back(-all[i], static_cast<std::int32_t>(i));
    std::sort(best.begin(), best.end());
    const auto got = list(user, nullptr, true);
    ASSERT_EQ(got.size(), 7U);
    for (std::size_t k = 0; k < 7; ++k) {
      EXPECT_EQ(got[k].second, -best[k].first) << "user " << user << ", place " << k;
      EXPECT_EQ(got[k].second, all[static_cast<std::size_t>(got[k].first)]);
    }
  }
}

TEST_P(EveryGuest, SomebodyNewWithAUsersItemsAndFeaturesIsThatUserWhereIdsDoNotSpeak) {
  train({{"history", "shown"}, {"ids", "false"}, {"biases", "false"}});
  for (const std::int32_t user : {3, 11}) {
    Guests guests{{-1}, recommender_->items_of(user), {}};
    const auto row = static_cast<std::size_t>(user);
    guests.features.rows = 1;
    for (const CategoricalField& field : data_.user_features.categorical) {
      CategoricalField one{field.name, field.tags, field.values, {0}, {}};
      for (std::int32_t k = field.offsets[row]; k < field.offsets[row + 1]; ++k) {
        one.codes.push_back(field.codes[static_cast<std::size_t>(k)]);
      }
      one.offsets.push_back(static_cast<std::int32_t>(one.codes.size()));
      guests.features.categorical.push_back(one);
    }
    for (const ContinuousField& field : data_.user_features.continuous) {
      guests.features.continuous.push_back({field.name, {field.values[row]}});
    }
    const std::vector<float> got = scores(0, &guests), expected = scores(user, nullptr);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-5) << i;
  }
}

TEST_P(EveryGuest, WhatAGuestHasChangesTheScoresAndLeavesTheList) {
  train({{"history", "shown"}});
  Guests nobody{{-1}, {}, {}}, somebody{{-1}, {}, {}};
  nobody.history.add({}, {});
  const std::vector<std::int32_t> items = {2, 5};
  const std::vector<float> labels = {1, 1};
  somebody.history.add(items, labels);
  EXPECT_NE(scores(0, &nobody), scores(0, &somebody));
  for (const auto& [item, score] : list(0, &somebody, false)) EXPECT_TRUE(item != 2 && item != 5);
  EXPECT_EQ(list(0, &somebody, false).size(), 7U);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryGuest,
                         ::testing::Values(Case{"base", "gmf"}, Case{"base", "mlp"}, Case{"cbr", "gmf"},
                                           Case{"cbr", "mlp"}),
                         case_name);

}  // namespace
}  // namespace equipoise::test
