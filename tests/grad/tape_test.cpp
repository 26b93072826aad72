// Edge cases of the tape: values used twice, inputs without gradients, batches at the borders of a chunk, width 1.
#include "grad/tape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "grad/check.h"

namespace equipoise {
namespace {

using test::check_gradient;
using test::gradient_of;
using Kind = TrainedArray::Kind;

TrainedArray filled(const char* name, std::size_t rows, std::size_t cols, Kind kind = Kind::dense) {
  TrainedArray p(name, kind, rows, cols);
  Stream stream(3, name);
  p.fill_normal(stream, 0.6);
  return p;
}

std::vector<float> normals(std::size_t n) {
  Stream stream(4, "input");
  std::vector<float> out(n);
  for (float& v : out) v = static_cast<float>(stream.normal());
  return out;
}

class TapeTest : public ::testing::Test {
 protected:
  Pool pool{2};
  Tape tape{pool};
};

// dL/dw for L = mean over rows of (Σ_k h_k (x·W)_k²), in double.
TEST_F(TapeTest, ABatchOfAnySizeEqualsPlainLoops) {
  for (const std::size_t rows : {1U, 2U, 127U, 128U, 129U, 255U, 256U, 257U, 513U}) {
    for (const std::size_t width : {1U, 3U, 17U}) {
      const std::vector<float> x = normals(rows * 2);
      TrainedArray w = filled("w", 2, width), h = filled("h", 1, width), b = filled("b", 1, 1);
      tape.clear();
      const Var hidden = linear(tape.constant(x.data(), rows, 2), w, nullptr);
      const Var loss = mean(shift(weighted_dot(hidden, hidden, h), b));
      tape.backward(loss);
      std::vector<double> dw(2 * width), dh(width);
      double expected = b.values()[0];
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t k = 0; k < width; ++k) {
          const double z = x[r * 2] * w.values()[k] + x[r * 2 + 1] * w.values()[width + k],
                       n = static_cast<double>(rows);
          expected += h.values()[k] * z * z / n;
          dh[k] += z * z / n;
          for (std::size_t i = 0; i < 2; ++i) dw[i * width + k] += 2 * h.values()[k] * z * x[r * 2 + i] / n;
        }
      }
      EXPECT_NEAR(loss.number(), expected, 1e-4);
      for (std::size_t k = 0; k < width; ++k) EXPECT_NEAR(h.gradient().data[k], dh[k], 1e-4) << rows;
      for (std::size_t k = 0; k < 2 * width; ++k) EXPECT_NEAR(w.gradient().data[k], dw[k], 1e-4) << rows;
      EXPECT_NEAR(b.gradient().data[0], 1, 1e-5);
    }
  }
}

TEST_F(TapeTest, AValueUsedManyTimesGetsTheSumOfItsGradients) {
  const std::vector<float> x = normals(130 * 2);
  TrainedArray w = filled("w", 2, 1), h = filled("h", 1, 1), joined = filled("joined", 3, 1);
  check_gradient(
      tape, {&w, &h, &joined},
      [&] {
        const Var v = linear(tape.constant(x.data(), 130, 2), w, nullptr);
        const Layer layer{&joined};
        return mean(square(tower({v, v, v * v}, {&layer, 1})) + v + 0.5f * v - weighted_dot(v, v, h)) +
               sum(v) * mean(v);
      },
      3e-3, 5e-3);
}

TEST_F(TapeTest, ATableLookedUpTwiceInOneStep) {
  TrainedArray table = filled("table", 5, 2, Kind::table), h = filled("h", 1, 2);
  const std::vector<Lookup> sources = {{&table, nullptr, nullptr, nullptr}};
  const std::vector<std::int32_t> left = {0, 1, 1, 4}, right = {1, 2, 1, 0};
  check_gradient(tape, {&table, &h},
                 [&] { return mean(weighted_dot(lookup(tape, left, sources), lookup(tape, right, sources), h)); });
  for (const std::int32_t untouched : {3}) EXPECT_EQ(table.slot(static_cast<std::size_t>(untouched)), -1);
}

// Tables are written to after the walk, when memory of other gradients has long been used again.
TEST_F(TapeTest, ALookupAfterOtherValuesKeepsItsGradient) {
  const std::vector<float> x = normals(4 * 2);
  TrainedArray table = filled("table", 5, 2, Kind::table), other = filled("other", 3, 2, Kind::table);
  TrainedArray w = filled("w", 2, 2), v = filled("v", 2, 2);
  const std::vector<Lookup> sources = {{&table}}, others = {{&other}};
  const std::vector<std::int32_t> rows = {0, 1, 1, 4}, other_rows = {2, 0, 2, 1};
  check_gradient(
      tape, {&table, &other, &w, &v},
      [&] {
        const Var a = linear(linear(tape.constant(x.data(), 4, 2), w, nullptr, Activation::tanh), v, nullptr);
        const Var u = lookup(tape, rows, sources);
        const Var b = square(a * u) + lookup(tape, other_rows, others);
        return mean(square(b) + a * lookup(tape, other_rows, sources));
      },
      3e-3, 5e-3);
}

TEST_F(TapeTest, InputsThatNeedNoGradientGetNone) {
  const std::vector<float> x = normals(40), y(20, 1.0f);
  TrainedArray w = filled("w", 2, 1), fixed = filled("fixed", 2, 2);
  fixed.moves = false;
  const Var input = tape.constant(x.data(), 20, 2);
  const Var frozen = linear(input, fixed, nullptr, Activation::elu);
  EXPECT_FALSE(tape.needs(input));
  EXPECT_FALSE(tape.needs(frozen));
  const Var logit = linear(frozen, w, nullptr);
  EXPECT_TRUE(tape.needs(logit));
  const Var loss = mean(bce(tape.constant(y.data(), 20, 1), logit));
  tape.backward(loss);
  EXPECT_FALSE(fixed.has_gradient());
  EXPECT_EQ(tape.gradient(frozen).data, nullptr);
  EXPECT_EQ(tape.gradient(input).data, nullptr);
  EXPECT_TRUE(w.has_gradient());
}

TEST_F(TapeTest, BackwardFromAConstantDoesNothing) {
  const std::vector<float> x = normals(3);
  TrainedArray w = filled("w", 1, 1);
  w.moves = false;
  tape.backward(mean(linear(tape.constant(x.data(), 3, 1), w, nullptr)));
  EXPECT_FALSE(w.has_gradient());
}

TEST_F(TapeTest, WhatTheLossDoesNotUseGetsNothing) {
  const std::vector<float> x = normals(6);
  TrainedArray used = filled("used", 2, 1), unused = filled("unused", 2, 1);
  const Var input = tape.constant(x.data(), 3, 2);
  linear(input, unused, nullptr);
  tape.backward(sum(linear(input, used, nullptr)));
  EXPECT_TRUE(used.has_gradient());
  EXPECT_FALSE(unused.has_gradient());
}

TEST_F(TapeTest, GradientsOfSeveralStepsAddUpUntilCleared) {
  const std::vector<float> x = normals(6);
  TrainedArray w = filled("w", 2, 1);
  const auto step = [&] {
    tape.clear();
    tape.backward(sum(linear(tape.constant(x.data(), 3, 2), w, nullptr)));
    return gradient_of(w);
  };
  const std::vector<float> once = step(), twice = step();
  for (std::size_t i = 0; i < 2; ++i) EXPECT_FLOAT_EQ(twice[i], 2 * once[i]);
  w.clear_gradient();
  EXPECT_EQ(step(), once);
}

TEST_F(TapeTest, ATapeForScoringGivesTheSameValuesAndNoGradients) {
  Tape scoring(pool, false);
  const std::vector<float> x = normals(300);
  TrainedArray w = filled("w", 2, 4), b = filled("b", 1, 4);
  const Var with = linear(tape.constant(x.data(), 150, 2), w, &b, Activation::elu);
  const Var without = linear(scoring.constant(x.data(), 150, 2), w, &b, Activation::elu);
  EXPECT_FALSE(scoring.needs(without));
  EXPECT_TRUE(std::equal(with.value().data, with.value().data + 600, without.value().data));
  scoring.backward(mean(without));
  EXPECT_FALSE(w.has_gradient());
}

// Divergence is found by the loss: no activation may turn a NaN into a number.
TEST_F(TapeTest, NanReachesTheLoss) {
  const std::vector<float> x(40, std::numeric_limits<float>::quiet_NaN()), y(40, 1.0f);
  TrainedArray w = filled("w", 1, 1), b = filled("b", 1, 1);
  for (const Activation a : {Activation::none, Activation::relu, Activation::elu, Activation::tanh}) {
    tape.clear();
    const Var out = linear(tape.constant(x.data(), 40, 1), w, &b, a);
    EXPECT_TRUE(std::isnan(mean(out).number())) << static_cast<int>(a);
    EXPECT_TRUE(std::isnan(mean(sigmoid(out)).number()));
    EXPECT_TRUE(std::isnan(mean(bce(tape.constant(y.data(), 40, 1), out)).number()));
  }
}

TEST_F(TapeTest, ShapesThatDoNotFitAreOurMistake) {
  const std::vector<float> x = normals(6);
  TrainedArray w = filled("w", 3, 1), narrow = filled("narrow", 4, 1, Kind::table),
               wide = filled("wide", 4, 2, Kind::table);
  const Var a = tape.constant(x.data(), 3, 2), b = tape.constant(x.data(), 2, 3);
  EXPECT_THROW(a + b, std::logic_error);
  EXPECT_THROW(linear(a, w, nullptr), std::logic_error);
  const Layer layer{&w};
  EXPECT_THROW(tower({a, b}, {&layer, 1}), std::logic_error);
  EXPECT_THROW(bce(a, b), std::logic_error);
  EXPECT_THROW(tape.backward(a), std::logic_error);
  const std::vector<Lookup> sources = {{&narrow, nullptr, nullptr, nullptr}, {&wide, nullptr, nullptr, nullptr}};
  const std::vector<std::int32_t> entities = {0};
  EXPECT_THROW(lookup(tape, entities, sources), std::logic_error);
}

}  // namespace
}  // namespace equipoise
