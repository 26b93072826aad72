// The sampled softmax: its value against plain loops, its gradients, and what its sample costs in exactness.
#include <gtest/gtest.h>

#include <cmath>

#include "core/alias.h"
#include "grad/check.h"

namespace equipoise {
namespace {

constexpr std::size_t kRows = 150, kWidth = 4, kClasses = 40;

class SampledSoftmax : public ::testing::Test {
 protected:
  SampledSoftmax()
      : table("table", TrainedArray::Kind::table, kClasses, kWidth + 1),
        map("map", TrainedArray::Kind::dense, 3, kWidth) {
    Stream stream(1, "start");
    table.fill_normal(stream, 0.8);
    map.fill_normal(stream, 0.8);
    for (float& v : x) v = static_cast<float>(stream.normal());
    for (std::size_t c = 0; c < kClasses; ++c) law.push_back((1.0 + static_cast<double>(c % 7)));
    double total = 0;
    for (const double q : law) total += q;
    for (double& q : law) q /= total;
    for (std::size_t r = 0; r < kRows; ++r) own.push_back(static_cast<std::int32_t>(stream.below(kClasses)));
    sources = {{&table}};
  }

  Var input() { return linear(tape.constant(x.data(), kRows, 3), map, nullptr, Activation::tanh); }

  void draw(std::size_t count, std::uint64_t number) {
    Stream stream(2, "sample", number);
    const AliasTable alias(law);
    sample.clear(), expected.clear();
    for (std::size_t j = 0; j < count; ++j) {
      sample.push_back(static_cast<std::int32_t>(alias.draw(stream)));
      expected.push_back(static_cast<float>(static_cast<double>(count) * law[static_cast<std::size_t>(sample.back())]));
    }
  }

  Var loss() {
    return mean(sampled_softmax_loss(input(), lookup(tape, own, sources), lookup(tape, sample, sources), own, sample,
                                     expected.data()));
  }

  double score(std::size_t r, std::size_t c, const Matrix& h) {
    double s = table.value().row(c)[kWidth];
    for (std::size_t k = 0; k < kWidth; ++k) s += static_cast<double>(h.row(r)[k]) * table.value().row(c)[k];
    return s;
  }

  Pool pool{2};
  Tape tape{pool};
  TrainedArray table, map;
  std::vector<float> x = std::vector<float>(kRows * 3);
  std::vector<double> law;
  std::vector<std::int32_t> own, sample;
  std::vector<float> expected;
  std::vector<Lookup> sources;
};

TEST_F(SampledSoftmax, EqualsPlainLoops) {
  draw(30, 1);
  const double value = loss().number();
  const Matrix h = input().value();
  double plain = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    const auto mine = static_cast<std::size_t>(own[r]);
    double z = std::exp(score(r, mine, h));
    for (std::size_t j = 0; j < sample.size(); ++j) {
      if (sample[j] != own[r]) z += std::exp(score(r, static_cast<std::size_t>(sample[j]), h)) / expected[j];
    }
    plain += (std::log(z) - score(r, mine, h)) / kRows;
  }
  EXPECT_NEAR(value, plain, 1e-5);
}

TEST_F(SampledSoftmax, GradientEqualsCentralDifferences) {
  draw(30, 2);
  test::check_gradient(tape, {&table, &map}, [&] { return loss(); });
}

// The estimate of the sum is unbiased, its logarithm is not: the gradient's bias falls as the sample grows.
TEST_F(SampledSoftmax, TheGradientNearsTheWholeSoftmax) {
  TrainedArray w("w", TrainedArray::Kind::dense, kWidth, kClasses), b("b", TrainedArray::Kind::dense, 1, kClasses);
  for (std::size_t c = 0; c < kClasses; ++c) {
    for (std::size_t k = 0; k < kWidth; ++k) w.value().row(k)[c] = table.value().row(c)[k];
    b.values()[c] = table.value().row(c)[kWidth];
  }
  map.clear_gradient();
  tape.clear();
  const std::vector<float> ones(own.size(), 1.0f);
  tape.backward(softmax_loss(input(), w, b, {own}, tape.constant(ones.data(), ones.size(), 1)));
  const std::vector<float> whole = test::gradient_of(map);
  const auto bias_at = [&](std::size_t count) {
    std::vector<double> average(whole.size(), 0.0);
    const int draws = 400;
    for (int n = 0; n < draws; ++n) {
      draw(count, 10 + static_cast<std::uint64_t>(n));
      map.clear_gradient(), table.clear_gradient();
      tape.clear();
      tape.backward(loss());
      const std::vector<float> g = test::gradient_of(map);
      for (std::size_t k = 0; k < g.size(); ++k) average[k] += g[k] / draws;
    }
    double wrong = 0, size = 0;
    for (std::size_t k = 0; k < whole.size(); ++k)
      wrong += std::pow(average[k] - whole[k], 2), size += std::pow(whole[k], 2);
    return std::sqrt(wrong / size);
  };
  const double few = bias_at(8), many = bias_at(128);
  EXPECT_LT(many, 0.12);
  EXPECT_LT(many, 0.5 * few) << few;
}

}  // namespace
}  // namespace equipoise
