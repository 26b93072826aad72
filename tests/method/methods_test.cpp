// The baselines against hand computation, base against the plain mean of the cross-entropy, the table itself.
#include <set>

#include "core/error.h"
#include "data/temp_folder.h"
#include "registry.h"

namespace equipoise::test {
namespace {

using test::error_of;

std::vector<float> predict(const Built& built, std::vector<std::int32_t> users, std::vector<std::int32_t> items) {
  Pool pool(1);
  Tape tape(pool, false);
  const Matrix out = built.method->predict(tape, {users, items, {}, {}, {}}).value();
  return {out.data, out.data + out.size()};
}

/// u0: i0 liked, i1 not, i2 liked; u1: i0 liked; u2 and i3 have no rows.
Dataset four_rows() {
  Dataset data = empty_log("four rows", 3, 4);
  add_row(data.train, 0, 0, true);
  add_row(data.train, 0, 1, false);
  add_row(data.train, 0, 2, true);
  add_row(data.train, 1, 0, true);
  return data;
}

TEST(Popularity, IsTheLogitOfTheShareOfTheLog) {
  const Built built({"popularity", ""}, four_rows());
  const auto logit = [](double share) { return std::log(share / (1 - share)); };
  const std::vector<float> scores = predict(built, {0, 1, 0, 2, -1, 0}, {0, 0, 1, 3, 2, -1});
  EXPECT_NEAR(scores[0], logit(2.5 / 5), 1e-6);
  EXPECT_EQ(scores[0], scores[1]) << "the user does not matter";
  EXPECT_NEAR(scores[2], logit(1.5 / 5), 1e-6);
  EXPECT_NEAR(scores[3], logit(0.5 / 5), 1e-6);
  EXPECT_EQ(scores[4], scores[2]) << "an unknown user gets what everybody gets";
  EXPECT_EQ(scores[5], 0);
  EXPECT_TRUE(built.method->findings(four_rows(), *std::make_unique<Pool>(1)).as_object().empty());
}

TEST(Popularity, AnItemThatIsTheWholeLogStaysFinite) {
  Dataset data = empty_log("one item", 2, 1);
  for (int k = 0; k < 3; ++k) add_row(data.train, k % 2, 0, k == 0);
  EXPECT_TRUE(std::isfinite(predict(Built({"popularity", ""}, data), {0}, {0}).front()));
}

TEST(Mean, IsTheShrunkMeanOfUserPlusItem) {
  const Built built({"mean", ""}, four_rows());  // ȳ = 3/4, k = 5
  const double a0 = (0.25 - 0.75 + 0.25) / (3 + 5), a1 = 0.25 / (1 + 5);
  const double b0 = (0.25 + 0.25) / (2 + 5), b1 = -0.75 / (1 + 5);
  const auto logit = [](double p) { return 4 * (p - 0.5); };
  const std::vector<float> scores = predict(built, {0, 0, 1, 2, 2, -1}, {0, 1, 0, 3, 1, -1});
  EXPECT_NEAR(scores[0], logit(0.75 + a0 + b0), 1e-6);
  EXPECT_NEAR(scores[1], logit(0.75 + a0 + b1), 1e-6);
  EXPECT_NEAR(scores[2], logit(0.75 + a1 + b0), 1e-6);
  EXPECT_NEAR(scores[3], logit(0.75), 1e-6) << "cold on both sides";
  EXPECT_NEAR(scores[4], logit(0.75 + b1), 1e-6) << "a cold user leaves the item's part";
  EXPECT_NEAR(scores[5], logit(0.75), 1e-6);
}

TEST(Mean, ShrinkageIsItsParameter) {
  auto method = make_method("mean");
  Params params;
  method->describe(params);
  params.set("shrinkage", "0");
  const Dataset data = four_rows();
  const Catalogue catalogue = catalogue_of(data);
  Networks networks;
  method->build({catalogue, {}, nullptr, 1}, networks);
  method->read(data);
  EXPECT_NEAR(networks.at("f").arrays()[0].values()[1], 4 * 0.25, 1e-6) << "u1: mean 1 against 3/4";
}

/// L = (1/n) Σ w (log(1 + e^f) − y f), with f as predicted.
double plain_loss(const Built& built, const Pairs& shown) {
  const std::vector<float> f =
      predict(built, {shown.user.begin(), shown.user.end()}, {shown.item.begin(), shown.item.end()});
  double total = 0;
  for (std::size_t k = 0; k < f.size(); ++k) {
    const double x = f[k];
    total += shown.weight[k] * (std::log1p(std::exp(x)) - shown.label[k] * x);
  }
  return total / static_cast<double>(f.size());
}

TEST(BaseMethod, LossIsTheMeanOfTheCrossEntropyTimesTheLogsWeights) {
  for (const BaseEntry& base : bases()) {
    for (const bool weighted : {false, true}) {
      Dataset data = known_log(40, 10);
      if (weighted) {
        for (std::size_t t = 0; t < data.train.size(); ++t) {
          data.train.weight.push_back(0.25f * static_cast<float>(t % 7));
        }
      }
      ModelParams params;
      params.representation.deviation = 0.7;
      const Built built({"base", base.name}, data, params);
      Batches batches(data.train, data.users.size(), data.items.size(), 50, 1);
      batches.begin_epoch(1);
      const Batch& batch = batches.make(1);
      Pool pool(1);
      Tape tape(pool);
      const std::vector<Phase> phases = built.method->phases(1);
      ASSERT_EQ(phases.size(), 1U);
      EXPECT_NEAR(phases[0].loss(tape, batch).number(), plain_loss(built, batch.shown), 1e-5) << base.name;
    }
  }
}

TEST(Methods, NamesAreDifferentAndHaveSentences) {
  std::set<std::string> names;
  for (const MethodEntry& entry : methods()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_GT(std::string_view(entry.sentence).size(), 10U) << entry.name;
    EXPECT_NE(make_method(entry.name), nullptr);
  }
}

TEST(Methods, BaselinesAreThoseThatFitNothing) {
  EXPECT_EQ(baselines(), (std::vector<std::string>{"popularity", "mean", "mean-popularity"}));
  for (const MethodEntry& entry : methods()) EXPECT_NE(entry.baseline, entry.make()->needs().base) << entry.name;
}

TEST(Methods, AnUnknownNameIsAnErrorWithASuggestion) {
  EXPECT_NE(error_of<UsageError>([] { make_method("popularty"); }).find("did you mean popularity?"), std::string::npos);
  EXPECT_NE(error_of<UsageError>([] { make_method("zzzzzzzz"); }).find("base"), std::string::npos);
}

}  // namespace
}  // namespace equipoise::test
