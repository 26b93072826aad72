// A row of a new user or item in valid or test leaves every array of the others as it was, to the bit.
#include "data/held_out_ids.h"

#include "logs.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

Dataset with_new_ids(Dataset data) {
  const std::vector<bool> all_users(static_cast<std::size_t>(data.users.size()), true),
      all_items(static_cast<std::size_t>(data.items.size()), true);
  const std::int32_t user = data.users.add("new user"), item = data.items.add("new item"),
                     other_user = data.users.add("another user"), other_item = data.items.add("another item");
  add_row(data.valid, user, 0, true);
  add_row(data.valid, 0, item, false);
  add_row(data.test, other_user, 1, true);
  add_row(data.test, other_user, other_item, false);
  put_held_out_last(data, all_users, all_items);
  return data;
}

/// Tables of users and items have rows for the new ones, behind the others.
void expect_same_rows(const TrainedArray& before, const TrainedArray& after) {
  ASSERT_EQ(before.cols(), after.cols()) << before.name();
  ASSERT_LE(before.rows(), after.rows()) << before.name();
  for (std::size_t k = 0; k < before.values().size(); ++k) {
    ASSERT_EQ(before.values()[k], after.values()[k]) << before.name() << ", value " << k;
  }
}

class HeldOutIds : public testing::TestWithParam<std::pair<Case, Settings>> {};

TEST_P(HeldOutIds, ChangeNothingThatIsLearned) {
  const auto& [c, settings] = GetParam();
  const Dataset data = known_log(60, 14, 5, false), more = with_new_ids(data);
  ASSERT_EQ(more.held_out_users, 2);
  ASSERT_EQ(more.held_out_items, 2);
  TrainParams train;
  train.epochs = 1 + make_method(c.method)->warm_up();  // of several, validation chooses
  train.batch_size = 64;
  const Trained before = train_case(c, data, train, 1, {}, settings),
                after = train_case(c, more, train, 1, {}, settings);
  const auto& networks = before.recommender->networks().all();
  for (std::size_t n = 0; n < networks.size(); ++n) {
    const auto &a = networks[n].arrays(), &b = after.recommender->networks().all()[n].arrays();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) expect_same_rows(a[k], b[k]);
  }
  EXPECT_EQ(scores_of(*before.recommender, data.test), scores_of(*after.recommender, data.test));
  const auto loaded = ModelFile::unpack(BlockFile::parse(after.bytes(), "model", "model"), "model", *after.pool);
  EXPECT_EQ(scores_of(*loaded, more.test), scores_of(*after.recommender, more.test));
}

INSTANTIATE_TEST_SUITE_P(Some, HeldOutIds,
                         testing::Values(std::pair<Case, Settings>{{"base", "gmf"}, {}},
                                         std::pair<Case, Settings>{{"cbr", "mlp"}, {}},
                                         std::pair<Case, Settings>{{"cbr", "gmf"}, {{"balance", "all-pairs"}}},
                                         std::pair<Case, Settings>{{"cbr", "gmf"}, {{"softmax_items", "4"}}},
                                         std::pair<Case, Settings>{{"cbr", "gmf"}, {{"balance", "above-chance"}}},
                                         std::pair<Case, Settings>{{"cbr", "gmf"}, {{"balance", "split"}}},
                                         std::pair<Case, Settings>{{"snips", "gmf"}, {{"propensity", "balancing"}}},
                                         std::pair<Case, Settings>{{"dr", "gmf"}, {}},
                                         std::pair<Case, Settings>{{"cvib", "mlp"}, {}},
                                         std::pair<Case, Settings>{{"att", "gmf"}, {}},
                                         std::pair<Case, Settings>{{"ips", "gmf"}, {{"propensity", "popularity"}}},
                                         std::pair<Case, Settings>{{"ips", "gmf"}, {{"propensity", "user-item"}}},
                                         std::pair<Case, Settings>{{"snips", "mlp"}, {{"propensity", "logistic"}}},
                                         std::pair<Case, Settings>{{"ips", "gmf"}, {{"propensity", "mf"}}}));

}  // namespace
}  // namespace equipoise::test
