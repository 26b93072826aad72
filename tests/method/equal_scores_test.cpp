// Over the table of methods and bases: a pair's score is a function of the pair, not of its place or its neighbours.
#include <numeric>

#include "registry.h"

namespace equipoise::test {
namespace {

class EveryScore : public ::testing::TestWithParam<Case> {
 protected:
  /// Away from the start, where φ is the identity and biases are zero.
  void build(const Settings& settings, ModelParams model) {
    built_ = std::make_unique<Built>(GetParam(), data_, model, 1, settings);
    for (Network& network : built_->networks.all()) {
      Stream stream(2, "moved " + network.name());
      for (TrainedArray& p : network.arrays()) {
        for (float& v : p.values()) v += static_cast<float>(0.3 * stream.normal());
      }
    }
  }

  std::vector<float> score(const std::vector<std::int32_t>& users, const std::vector<std::int32_t>& items) {
    tape_.clear();
    const Matrix out = built_->method->predict(tape_, {users, items, {}, {}, {}}).value();
    return {out.data, out.data + out.size()};
  }

  void check_equal_pairs() {
    const float alone = score({3}, {7}).front();
    for (const std::size_t n : {2U, 5U, 127U, 128U, 129U, 132U, 300U, 8192U + 3U}) {
      const std::vector<float> scores = score(std::vector<std::int32_t>(n, 3), std::vector<std::int32_t>(n, 7));
      EXPECT_EQ(std::count(scores.begin(), scores.end(), alone), static_cast<std::ptrdiff_t>(n)) << n << " equal pairs";
    }
  }

  void check_random_pairs() {
    constexpr std::size_t kPairs = 389;
    std::vector<std::int32_t> users, items;
    Stream stream(3, "pairs");
    for (std::size_t k = 0; k < kPairs; ++k) {
      users.push_back(static_cast<std::int32_t>(stream.below(30)));
      items.push_back(static_cast<std::int32_t>(stream.below(9)));
    }
    const std::vector<float> together = score(users, items);
    const std::vector<float> backwards = score({users.rbegin(), users.rend()}, {items.rbegin(), items.rend()});
    for (std::size_t k = 0; k < kPairs; ++k) {
      ASSERT_EQ(together[k], score({users[k]}, {items[k]}).front()) << "pair " << k << " by itself";
      ASSERT_EQ(together[k], backwards[kPairs - 1 - k]) << "pair " << k << " in another order";
    }
  }

  void check() {
    check_equal_pairs();
    check_random_pairs();
  }

  Pool pool_{2};
  Tape tape_{pool_, false};
  Dataset data_ = known_log(30, 9, 5);
  std::unique_ptr<Built> built_;
};

TEST_P(EveryScore, IsTheSameAtAnyPlaceAndBesideAnyOther) {
  build({}, {});
  check();
}

TEST_P(EveryScore, IsTheSameInWideAndOddModels) {
  for (const int width : {5, 20, 80, 200}) {
    SCOPED_TRACE(width);
    ModelParams model;
    model.representation.width = width;
    build({}, model);
    check();
  }
}

// D's and the distances' choices move no score, but a projection without z is another product.
TEST_P(EveryScore, IsTheSameWithoutAConfounder) {
  if (GetParam().method != "cbr") return;
  build({{"confounder", "false"}}, {});
  check();
}

// The rows of a step's forward pass are those that are scored afterwards.
TEST_P(EveryScore, IsTheSameInTraining) {
  build({}, {});
  std::vector<std::int32_t> users(133), items(133);
  for (std::size_t k = 0; k < users.size(); ++k) {
    users[k] = static_cast<std::int32_t>(k % 30), items[k] = static_cast<std::int32_t>(k % 9);
  }
  Tape training(pool_);
  const Matrix logits = built_->method->predict(training, {users, items, {}, {}, {}}).value();
  EXPECT_EQ(std::vector<float>(logits.data, logits.data + logits.size()), score(users, items));
}

// Whole catalogues: what is scored in halves does not depend on the items beside it either.
TEST_P(EveryScore, OfACatalogueIsTheSameBesideAnyOtherItems) {
  build({}, {});
  const auto scorer = built_->method->catalogue_scorer(pool_);
  if (!scorer) return;
  std::vector<std::int32_t> items(300);
  for (std::size_t k = 0; k < items.size(); ++k) items[k] = static_cast<std::int32_t>(k % 9);
  std::vector<float> together(items.size()), alone(1);
  scorer->score(4, items, together, pool_);
  for (std::size_t k = 0; k < items.size(); ++k) {
    scorer->score(4, {&items[k], 1}, alone, pool_);
    ASSERT_EQ(together[k], alone.front()) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryScore, ::testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace equipoise::test
