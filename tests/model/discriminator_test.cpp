// D: its outputs sum to 1, its loss is their logarithm, and where it is large it works on a sample.
#include "model/discriminator.h"

#include <gtest/gtest.h>

#include <cmath>

namespace equipoise {
namespace {

constexpr std::size_t kRows = 140, kWidth = 6, kItems = 50;

class DiscriminatorTest : public ::testing::Test {
 protected:
  DiscriminatorTest() {
    Stream stream(1, "rows");
    for (float& v : phi) v = static_cast<float>(stream.normal());
    for (std::int32_t& i : items) i = static_cast<std::int32_t>(stream.below(kItems));
    for (float& v : weight) v = static_cast<float>(stream.uniform());
  }
  Discriminator make(Network& network, int full_items) {
    DiscriminatorDesign design;
    design.full_items = full_items;
    design.samples = 20;
    Stream stream(2, "start");
    return {network, kWidth, kItems, design, stream};
  }
  Var rows() { return tape.constant(phi.data(), kRows, kWidth); }
  Var weights() { return tape.constant(weight.data(), kRows, 1); }

  Pool pool{2};
  Tape tape{pool};
  std::vector<float> phi = std::vector<float>(kRows * kWidth);
  std::vector<std::int32_t> items = std::vector<std::int32_t>(kRows);
  std::vector<float> weight = std::vector<float>(kRows);
};

TEST_F(DiscriminatorTest, OutputsSumToOneAndTheLossIsTheirLogarithm) {
  Network network("D");
  Discriminator d = make(network, 4096);
  ASSERT_FALSE(d.sampled());
  const Matrix p = d.probabilities(rows());
  double surprise = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < kItems; ++i) sum += p.row(r)[i];
    EXPECT_NEAR(sum, 1, 1e-5);
    surprise -= weight[r] * std::log(p.row(r)[items[r]]) / kRows;
  }
  EXPECT_NEAR(d.surprise(rows(), items, weights(), 3.0f, 0, 0).number(), 3 * surprise, 1e-5);
}

TEST_F(DiscriminatorTest, DistanceToAPriorIsTheMeanSurprise) {
  Network network("D");
  const Discriminator d = make(network, 4096);
  std::vector<float> prior(kItems);
  for (std::size_t i = 0; i < kItems; ++i) prior[i] = static_cast<float>(i + 1) / (kItems * (kItems + 1) / 2.0f);
  const Matrix p = d.probabilities(rows());
  double expected = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t i = 0; i < kItems; ++i) expected -= weight[r] * prior[i] * std::log(p.row(r)[i]) / kRows;
  }
  EXPECT_NEAR(d.distance_to(prior.data(), rows(), weights(), 0.5f).number(), 0.5 * expected, 1e-5);
}

TEST_F(DiscriminatorTest, ALargeOneIsSampledBySeedAndPlace) {
  Network network("D");
  Discriminator d = make(network, 10);
  ASSERT_TRUE(d.sampled());
  d.read(items);
  const auto total = [&](std::uint64_t a, std::uint64_t b) {
    return d.surprise(rows(), items, weights(), 1.0f, a, b).number();
  };
  EXPECT_EQ(total(1, 2), total(1, 2));
  EXPECT_NE(total(1, 2), total(1, 3));
  EXPECT_NE(total(1, 2), total(2, 2));
}

}  // namespace
}  // namespace equipoise
