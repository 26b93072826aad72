// The softmax over many outputs: its value against plain loops, its gradients, the same whatever is kept of it.
#include <gtest/gtest.h>

#include <cmath>

#include "grad/check.h"
#include "grad/ops.h"

namespace equipoise {
namespace {

constexpr std::size_t kBatch = 300, kInputs = 5;  // two whole chunks of rows and a part of one

class Softmax : public ::testing::TestWithParam<std::size_t> {
 protected:
  Softmax() {
    Stream stream(1, "softmax");
    for (Floats* values : {&w.values(), &b.values(), &map.values()})
      for (float& v : *values) v = static_cast<float>(0.4 * stream.normal());
    for (float& v : x) v = static_cast<float>(stream.normal());
    for (float& v : weight) v = static_cast<float>(0.5 + stream.uniform());
    for (std::int32_t& c : own) c = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(outputs)));
    double total = 0;
    for (float& v : prior) total += v = static_cast<float>(stream.uniform());
    for (float& v : prior) v /= static_cast<float>(total);
  }

  Var input(Tape& on) { return linear(on.constant(x.data(), kBatch, 3), map, nullptr, Activation::tanh); }
  Var loss(Tape& on, bool classes, float factor) {
    const SoftmaxTarget target = classes ? SoftmaxTarget{own} : SoftmaxTarget{{}, prior.data()};
    return softmax_loss(input(on), w, b, target, on.constant(weight.data(), kBatch, 1), factor);
  }

  const std::size_t outputs = GetParam();
  TrainedArray w{"w", TrainedArray::Kind::dense, kInputs, outputs}, b{"b", TrainedArray::Kind::dense, 1, outputs},
      map{"map", TrainedArray::Kind::dense, 3, kInputs};
  std::vector<float> x = std::vector<float>(kBatch * 3), weight = std::vector<float>(kBatch),
                     prior = std::vector<float>(outputs);
  std::vector<std::int32_t> own = std::vector<std::int32_t>(kBatch);
  Pool pool{2};
  Tape tape{pool};
};

TEST_P(Softmax, IsTheWeightedMeanOfCrossEntropies) {
  const Matrix in = input(tape).value();
  double by_class = 0, by_prior = 0;
  for (std::size_t r = 0; r < kBatch; ++r) {
    std::vector<double> s(outputs);
    double sum = 0, mean = 0;
    for (std::size_t c = 0; c < outputs; ++c) {
      s[c] = b.values()[c];
      for (std::size_t k = 0; k < kInputs; ++k) s[c] += static_cast<double>(in.row(r)[k]) * w.value().row(k)[c];
      sum += std::exp(s[c]);
      mean += prior[c] * s[c];
    }
    by_class += weight[r] * (std::log(sum) - s[static_cast<std::size_t>(own[r])]) / kBatch;
    by_prior += weight[r] * (std::log(sum) - mean) / kBatch;
  }
  EXPECT_NEAR(loss(tape, true, -2.0f).number(), -2 * by_class, 1e-4);
  EXPECT_NEAR(loss(tape, false, 0.5f).number(), 0.5 * by_prior, 1e-4);
}

TEST_P(Softmax, HasTheGradientOfItsEquation) {
  for (const bool classes : {true, false}) {
    test::check_gradient(tape, {&w, &b, &map}, [&] { return loss(tape, classes, 1.0f); });
    // what follows the loss, and another use of x, reach its gradient too
    test::check_gradient(tape, {&w, &b, &map},
                         [&] { return 3.0f * loss(tape, classes, -0.5f) + mean(square(input(tape))); });
  }
}

TEST_P(Softmax, WithFixedWeightsTheInputHasTheSameGradient) {
  const auto gradient = [&](bool moves, int threads) {
    Pool some(threads);
    Tape another(some);
    w.moves = b.moves = moves;
    map.clear_gradient();
    another.backward(loss(another, true, 1.0f));
    return test::gradient_of(map);
  };
  const std::vector<float> moving = gradient(true, 1);
  for (const int threads : {1, 2, 3}) EXPECT_EQ(gradient(false, threads), moving) << threads;
}

// 16 and 37: with and without a part of a register at the end of a row; from 512 on weights' gradients are cut
// otherwise.
INSTANTIATE_TEST_SUITE_P(Outputs, Softmax, ::testing::Values(1, 16, 37, 530));

}  // namespace
}  // namespace equipoise
