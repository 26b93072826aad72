// Operations on groups of rows: their values against plain arithmetic, their gradients against central differences.
#include <gtest/gtest.h>

#include <cmath>

#include "grad/check.h"
#include "grad/columns.h"
#include "grad/ops.h"

namespace equipoise {
namespace {

using test::check_gradient;

class Groups : public ::testing::Test {
 protected:
  static constexpr std::size_t kRows = 150, kTimes = 3;  // two chunks of rows

  Groups() {
    Stream stream(1, "groups");
    for (float& v : x_) v = static_cast<float>(stream.normal());
    for (float& v : factors_) v = stream.below(4) == 0 ? 0.0f : 0.5f + stream.uniform_float();
    own_.fill_normal(stream, 1);
    others_.fill_normal(stream, 1);
  }
  Var own() { return linear(tape_.constant(x_.data(), kRows, 2), own_, nullptr); }
  Var others() { return linear(tape_.constant(x_.data(), kRows * kTimes, 2), others_, nullptr); }

  Pool pool_{2};
  Tape tape_{pool_};
  std::vector<float> x_ = std::vector<float>(kRows * kTimes * 2), factors_ = std::vector<float>(kRows * kTimes);
  TrainedArray own_{"own", TrainedArray::Kind::dense, 2, 1}, others_{"others", TrainedArray::Kind::dense, 2, 1};
};

TEST_F(Groups, RepeatHasEachRowSeveralTimes) {
  const Var x = own(), out = repeat(x, kTimes);
  ASSERT_EQ(out.rows(), kRows * kTimes);
  for (std::size_t k = 0; k < out.rows(); ++k) EXPECT_EQ(out.value().data[k], x.value().data[k / kTimes]);
  check_gradient(tape_, {&own_, &others_}, [&] {
    const Var o = own();
    return mean(square(repeat(o, kTimes) - others())) + mean(square(o));
  });
}

TEST_F(Groups, SoftmaxAgainstIsItsEquation) {
  const Var x = own(), y = others(), loss = softmax_against(x, y, factors_.data());
  for (std::size_t r = 0; r < kRows; ++r) {
    const double mine = x.value().data[r];
    double total = std::exp(mine);
    for (std::size_t k = r * kTimes; k < (r + 1) * kTimes; ++k) total += factors_[k] * std::exp(y.value().data[k]);
    EXPECT_NEAR(loss.value().data[r], std::log(total) - mine, 1e-5);
  }
  check_gradient(tape_, {&own_, &others_}, [&] {
    const Var o = own();
    return mean(softmax_against(o, others(), factors_.data())) + mean(square(o));
  });
}

TEST_F(Groups, SoftmaxAgainstStaysFinite) {
  for (float& v : own_.values()) v *= 1000;
  for (float& v : others_.values()) v *= -1000;
  const Var loss = softmax_against(own(), others(), factors_.data());
  for (std::size_t r = 0; r < kRows; ++r) EXPECT_TRUE(std::isfinite(loss.value().data[r]));
}

TEST_F(Groups, EluPlusOne) {
  const Var x = own(), out = elu_plus_one(x);
  for (std::size_t r = 0; r < kRows; ++r) {
    const double v = x.value().data[r];
    EXPECT_NEAR(out.value().data[r], v > 0 ? v + 1 : std::exp(v), 1e-6);
  }
  check_gradient(
      tape_, {&own_}, [&] { return mean(square(elu_plus_one(own()))); }, 1e-3, 6e-3);
}

TEST_F(Groups, ReciprocalAndFloored) {
  const Var x = floored(own(), 0.3f), out = reciprocal(x);
  for (std::size_t r = 0; r < kRows; ++r) {
    EXPECT_EQ(x.value().data[r], std::max(own().value().data[r], 0.3f));
    EXPECT_NEAR(out.value().data[r], 1 / x.value().data[r], 1e-6);
  }
  check_gradient(
      tape_, {&own_}, [&] { return mean(reciprocal(floored(own(), 0.3f))) + mean(reciprocal(square(own()) + 1.0f)); },
      1e-3, 6e-3);
}

TEST_F(Groups, CrossMomentsAreMeansOfProducts) {
  TrainedArray three{"three", TrainedArray::Kind::dense, 2, 3};
  Stream stream(2, "three");
  three.fill_normal(stream, 1);
  const auto wide = [&] { return linear(tape_.constant(x_.data() + 7, kRows, 2), three, nullptr); };
  const Var a = own(), b = wide(), out = cross_moments(a, b);
  ASSERT_EQ(out.rows(), 1U);
  ASSERT_EQ(out.cols(), 3U);
  for (std::size_t c = 0; c < 3; ++c) {
    double total = 0;
    for (std::size_t r = 0; r < kRows; ++r) total += static_cast<double>(a.value().data[r]) * b.value().row(r)[c];
    EXPECT_NEAR(out.value().data[c], total / kRows, 1e-5);
  }
  check_gradient(tape_, {&own_, &three}, [&] {
    const Var o = own(), w = wide();
    return sum(square(cross_moments(o, w))) + sum(square(cross_moments(w, w))) + mean(square(o));
  });
}

TEST_F(Groups, ColumnsAreCutOutAndTheirGradientGoesBack) {
  TrainedArray three("three", TrainedArray::Kind::dense, 2, 3);
  Stream stream(2, "three");
  three.fill_normal(stream, 1);
  const auto wide = [&] { return linear(tape_.constant(x_.data() + 7, kRows, 2), three, nullptr); };
  const Var x = wide(), part = columns(x, 1, 2);
  ASSERT_EQ(part.cols(), 2U);
  for (std::size_t r = 0; r < kRows; ++r) {
    EXPECT_EQ(part.value().row(r)[0], x.value().row(r)[1]);
    EXPECT_EQ(part.value().row(r)[1], x.value().row(r)[2]);
  }
  check_gradient(tape_, {&three}, [&] {
    const Var w = wide();
    return sum(square(columns(w, 1, 2))) + mean(square(columns(w, 0, 2))) + mean(square(w));
  });
}

}  // namespace
}  // namespace equipoise
