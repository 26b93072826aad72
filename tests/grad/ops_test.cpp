// Every operation: its value against plain arithmetic, its gradient against central differences.
#include "grad/ops.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grad/check.h"
#include "grad/layer_gradient.h"

namespace equipoise {
namespace {

using test::check_gradient;
using Kind = TrainedArray::Kind;

// Parameters filled with distinct numbers, so that no gradient is right by accident.
TrainedArray filled(const char* name, std::size_t rows, std::size_t cols, std::uint64_t seed, Kind kind = Kind::dense) {
  TrainedArray p(name, kind, rows, cols);
  Stream stream(seed, name);
  p.fill_normal(stream, 0.7);
  return p;
}

std::vector<float> column(std::size_t rows, std::uint64_t seed, bool labels = false) {
  Stream stream(seed, "column");
  std::vector<float> out(rows);
  for (float& v : out) v = labels ? static_cast<float>(stream.below(2)) : static_cast<float>(stream.normal());
  return out;
}

class Ops : public ::testing::Test {
 protected:
  static constexpr std::size_t kRows = 300;  // three chunks, the last one short
  Pool pool{2};
  Tape tape{pool};
  std::vector<float> x = column(kRows * 3, 1), w = column(kRows, 2), y = column(kRows, 3, true);
  TrainedArray weights = filled("weights", 3, 4, 4), bias = filled("bias", 1, 4, 5), h = filled("h", 1, 4, 6);
  Var input() { return tape.constant(x.data(), kRows, 3); }
  // A column that depends on the arrays.
  Var logits() {
    return weighted_dot(linear(input(), weights, &bias, Activation::elu), linear(input(), weights, nullptr), h);
  }
};

TEST_F(Ops, LinearEqualsPlainLoops) {
  const Matrix out = linear(input(), weights, &bias, Activation::relu).value();
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < 4; ++c) {
      double expected = bias.values()[c];
      for (std::size_t k = 0; k < 3; ++k) expected += x[r * 3 + k] * weights.values()[k * 4 + c];
      EXPECT_NEAR(out.row(r)[c], std::max(0.0, expected), 1e-5);
    }
  }
}

TEST_F(Ops, LinearGradientForEveryActivation) {
  for (const Activation a : {Activation::none, Activation::elu, Activation::tanh, Activation::relu}) {
    check_gradient(
        tape, {&weights, &bias}, [&] { return mean(square(linear(input(), weights, &bias, a))); }, 1e-3, 6e-3);
  }
}

TEST_F(Ops, WideLayerGradient) {
  TrainedArray wide = filled("wide", 3, 700, 7), narrow = filled("narrow", 700, 1, 8);
  check_gradient(tape, {&wide, &narrow}, [&] {
    return 0.01f * mean(square(linear(linear(input(), wide, nullptr, Activation::tanh), narrow, nullptr)));
  });
}

// Added to what is there, in pieces of columns; the last one is whole, a little or more than half of one.
TEST_F(Ops, WideWeightGradientEqualsPlainLoops) {
  for (const std::size_t cols : {512U, 513U, 576U, 577U, 639U, 700U}) {
    const std::size_t stride = cols + 5;
    std::vector<float> g = column(kRows * stride, 9), sums = column(3 * cols, 10);
    const std::vector<float> before = sums;
    weight_gradient(tape, all_rows(kRows), {x.data(), kRows, 3}, {g.data(), kRows, cols}, stride,
                    {sums.data(), 3, cols}, When::now);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      double expected = before[i];
      for (std::size_t r = 0; r < kRows; ++r)
        expected += static_cast<double>(x[r * 3 + i / cols]) * g[r * stride + i % cols];
      ASSERT_NEAR(sums[i], expected, 2e-4) << cols << " at " << i;
    }
  }
}

// Whoever has a chunk can make its part, and whoever gets the parts the whole, to the last bit.
TEST_F(Ops, ChunksMakeTheWholeWeightGradient) {
  constexpr std::size_t kMany = 600;  // five chunks
  for (const std::size_t cols : {4U, 700U}) {
    std::vector<float> in = column(kMany * 3, 11), g = column(kMany * cols, 12);
    const std::size_t size = 3 * cols, count = chunks(kMany);
    std::vector<float> whole(size, 0.0f), parts(count * size, 0.0f);
    const auto gradient = [&](std::size_t first, std::size_t rows, float* into) {
      weight_gradient(tape, all_rows(rows), {&in[first * 3], rows, 3}, {&g[first * cols], rows, cols}, cols,
                      {into, 3, cols}, When::now);
    };
    gradient(0, kMany, whole.data());
    for (std::size_t c = 0; c < count; ++c) {
      gradient(c * kChunk, std::min(kChunk, kMany - c * kChunk), &parts[c * size]);
    }
    add_parts(parts.data(), count, size);
    EXPECT_TRUE(std::equal(whole.begin(), whole.end(), parts.begin())) << cols;
  }
}

TEST(AddParts, AddsNeighboursThenPairsOfThem) {
  std::vector<float> parts = column(7 * 2, 13);
  const std::vector<float> p = parts;
  add_parts(parts.data(), 7, 2);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(parts[k], ((p[k] + p[2 + k]) + (p[4 + k] + p[6 + k])) + ((p[8 + k] + p[10 + k]) + p[12 + k]));
  }
}

TEST_F(Ops, SumsAreThoseOfChunksInTheirOrder) {
  double total = 0, number = 0;
  for (std::size_t first = 0; first < kRows; first += kChunk) {
    double part = 0, products = 0;
    for (std::size_t r = first; r < std::min(kRows, first + kChunk); ++r) {
      part += w[r], products += static_cast<double>(w[r]) * y[r];
    }
    total += part, number += products;
  }
  const auto of = [&](const std::vector<float>& values) { return tape.constant(values.data(), kRows, 1); };
  EXPECT_EQ(sum(of(w)).number(), static_cast<float>(total));
  TrainedArray one = filled("one", 1, 1, 14);
  tape.clear();
  tape.backward(sum(of(w) * (of(y) * shift(::equipoise::filled(tape, 1, 0.0f), one))));
  EXPECT_EQ(one.gradient().data[0], static_cast<float>(number));
}

TEST_F(Ops, WeightedDotGradient) {
  check_gradient(tape, {&weights, &bias, &h}, [&] { return mean(logits()); });
}

TEST_F(Ops, BceEqualsItsDefinition) {
  const std::vector<float> far = {-60, -20, -1, 0, 1, 20, 60}, label = {1, 0, 1, 0.3f, 0, 1, 0};
  const Matrix out = bce(tape.constant(label.data(), 7, 1), tape.constant(far.data(), 7, 1)).value();
  for (std::size_t i = 0; i < 7; ++i) {
    const double v = far[i];
    const double expected = std::max(v, 0.0) + std::log1p(std::exp(-std::abs(v))) - label[i] * v;
    EXPECT_NEAR(out.data[i], expected, 1e-6 * std::max(1.0, expected)) << v;
  }
}

TEST_F(Ops, BceGradientIntoLogitAndLabel) {
  check_gradient(tape, {&weights, &bias, &h}, [&] { return mean(bce(tape.constant(y.data(), kRows, 1), logits())); });
  check_gradient(tape, {&weights, &bias, &h},
                 [&] { return mean(bce(sigmoid(logits()), tape.constant(w.data(), kRows, 1))); });
}

TEST_F(Ops, ElementwiseGradients) {
  const auto c = [&] { return tape.constant(w.data(), kRows, 1); };
  check_gradient(tape, {&weights, &h}, [&] { return mean(c() * logits()); });
  check_gradient(
      tape, {&weights, &h}, [&] { return mean(square(c() - 0.5f * logits() + 2.0f)); }, 3e-3, 5e-3);
  check_gradient(tape, {&weights, &h}, [&] { return mean(log(sigmoid(logits()))); });
  check_gradient(
      tape, {&weights, &h},
      [&] {
        const Var v = logits();
        return mean(v * v + v);
      },
      3e-3, 5e-3);
}

TEST_F(Ops, RatioOfSumsGradient) {
  check_gradient(tape, {&weights, &h}, [&] {
    const Var p = sigmoid(logits());
    return sum(square(p)) / sum(p);
  });
}

TEST_F(Ops, NumberTimesColumnGradient) {
  check_gradient(tape, {&weights, &h}, [&] {
    const Var p = sigmoid(logits());
    return mean(mean(p) * p);
  });
}

TEST_F(Ops, JoinedInputsAndShiftGradient) {
  TrainedArray one = filled("one", 1, 1, 9), joined = filled("joined", 7, 1, 10);
  const Layer layer{&joined};
  check_gradient(tape, {&weights, &bias, &one, &joined}, [&] {
    const Var second = linear(input(), weights, &bias, Activation::tanh);
    return mean(sigmoid(shift(tower({input(), second}, {&layer, 1}), one)));
  });
}

TEST_F(Ops, StopLetsNothingThrough) {
  weights.clear_gradient();
  tape.backward(mean(stop(logits()) * stop(logits())));
  EXPECT_FALSE(weights.has_gradient());
}

TEST_F(Ops, WhatDoesNotMoveGetsNothing) {
  weights.moves = false;
  tape.backward(mean(logits()));
  EXPECT_FALSE(weights.has_gradient());
  for (const float g : test::gradient_of(weights)) EXPECT_EQ(g, 0.0f);
  EXPECT_TRUE(h.has_gradient());
}

TEST_F(Ops, LookupSumsItsSources) {
  TrainedArray ids = filled("ids", 5, 4, 11, Kind::table), tags = filled("tags", 3, 4, 12, Kind::table);
  const std::vector<std::int32_t> offsets = {0, 1, 3, 3, 4, 6}, codes = {2, 0, 1, 1, 0, 2};
  const std::vector<std::int32_t> rows = {0, 1, 2, -1, 4};
  const std::vector<Lookup> sources = {{&ids, nullptr, nullptr, rows.data()},
                                       {&tags, offsets.data(), codes.data(), nullptr}};
  const std::vector<std::int32_t> entities = {1, 3, 2, -1, 1};
  const Matrix out = lookup(tape, entities, sources).value();
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_FLOAT_EQ(out.row(0)[k], ids.values()[4 + k] + 0.5f * (tags.values()[k] + tags.values()[4 + k]));
    EXPECT_FLOAT_EQ(out.row(1)[k], tags.values()[4 + k]);  // no id row of its own
    EXPECT_FLOAT_EQ(out.row(2)[k], ids.values()[8 + k]);   // no tags
    EXPECT_EQ(out.row(3)[k], 0.0f);
  }
  check_gradient(tape, {&ids, &tags}, [&] { return mean(square(lookup(tape, entities, sources))); });
  EXPECT_EQ(ids.touched(), (std::vector<std::int32_t>{1, 2}));
}

TEST_F(Ops, TheSameBytesAtAnyThreadCount) {
  std::vector<std::vector<float>> seen;
  for (const int threads : {1, 2, 4}) {
    Pool workers(threads);
    Tape other(workers);
    weights.clear_gradient();
    const Var v = other.constant(x.data(), kRows, 3);
    const Var l = weighted_dot(linear(v, weights, &bias, Activation::elu), linear(v, weights, nullptr), h);
    other.backward(mean(bce(other.constant(y.data(), kRows, 1), l)));
    seen.push_back(test::gradient_of(weights));
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

}  // namespace
}  // namespace equipoise
