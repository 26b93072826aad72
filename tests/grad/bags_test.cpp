// Bags of table rows against plain loops and central differences; attention by hand.
#include <gtest/gtest.h>

#include "grad/check.h"
#include "grad/kernel_sets.h"

namespace equipoise::test {
namespace {

/// Four bags: two rows, none, one row twice, three rows.
struct SomeBags {
  std::vector<std::int32_t> begin = {0, 2, 2, 4, 7};
  std::vector<std::int32_t> codes = {0, 3, 5, 5, 1, 3, 2};
  std::vector<float> shares = {0.5f, -1, 0.25f, 2, 1, 0.1f, -0.7f};

  Bags bags() const { return {4, begin.data(), codes.data(), shares.data()}; }
};

TrainedArray table_of(std::size_t width, std::size_t rows = 6) {
  TrainedArray table("table", TrainedArray::Kind::table, rows, width);
  Stream stream(1, "table", width);
  table.fill_normal(stream, 1);
  return table;
}

Var weighted_mean(Var x, const std::vector<float>& weights) {
  return mean(x * x.tape->constant(weights.data(), x.rows(), x.cols()));
}

std::vector<float> some_weights(std::size_t count) {
  Stream stream(2, "weights");
  std::vector<float> out(count);
  for (float& w : out) w = static_cast<float>(stream.normal());
  return out;
}

TEST(BagSums, AreSumsWithSharesInEveryInstructionSet) {
  const SomeBags some;
  for (const std::size_t width : {1, 5, 16, 32, 37, 64, 70}) {
    const TrainedArray table = table_of(width);
    for (const Kernels* kernels : available()) {
      std::vector<float> out(4 * width, 9.0f);
      kernels->bag_sums(table.values().data(), some.begin.data(), some.codes.data(), some.shares.data(), 4, width,
                        out.data());
      for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < width; ++c) {
          double expected = 0;
          for (std::int32_t k = some.begin[r]; k < some.begin[r + 1]; ++k) {
            const auto row = static_cast<std::size_t>(some.codes[static_cast<std::size_t>(k)]);
            expected += static_cast<double>(some.shares[static_cast<std::size_t>(k)]) *
                        static_cast<double>(table.values()[row * width + c]);
          }
          EXPECT_NEAR(out[r * width + c], expected, 1e-5) << kernels->name << " width " << width;
        }
      }
    }
  }
}

TEST(BagSums, HaveTheGradientOfCentralDifferences) {
  const SomeBags some;
  for (const std::size_t width : {3, 16, 40}) {
    TrainedArray table = table_of(width);
    const std::vector<float> weights = some_weights(4 * width);
    Pool pool(2);
    Tape tape(pool);
    check_gradient(tape, {&table}, [&] { return weighted_mean(bag_sums(tape, table, some.bags()), weights); });
  }
}

TEST(Attend, IsASoftmaxByHand) {
  // One bag of two rows of width 1: s = 1·w + p0, 2·w + p1, with w = ½, p = (0.1, −0.2).
  const std::vector<std::int32_t> begin = {0, 2, 2};
  TrainedArray w("w", TrainedArray::Kind::dense, 1, 1), p("p", TrainedArray::Kind::dense, 1, 3);
  w.values() = {0.5f}, p.values() = {0.1f, -0.2f, 7};
  Pool pool(1);
  Tape tape(pool, false);
  const std::vector<float> x = {1, 2};
  const Matrix got = attend(tape.constant(x.data(), 2, 1), {2, begin.data(), nullptr, nullptr}, w, p).value();
  const double a = std::exp(0.6), b = std::exp(0.8);
  EXPECT_NEAR(got.data[0], (a + 2 * b) / (a + b), 1e-5);
  EXPECT_EQ(got.data[1], 0) << "an empty bag is nothing";
}

TEST(Attend, HasTheGradientOfCentralDifferences) {
  const SomeBags some;
  std::vector<std::int32_t> each = {0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<float> ones(7, 1.0f), weights = some_weights(4 * 5);
  TrainedArray table = table_of(5), w("w", TrainedArray::Kind::dense, 1, 5), p("p", TrainedArray::Kind::dense, 1, 4);
  Stream stream(3, "attention");
  w.fill_normal(stream, 0.5), p.fill_normal(stream, 0.5);
  Pool pool(2);
  Tape tape(pool);
  check_gradient(
      tape, {&table, &w, &p},
      [&] {
        const Var x = bag_sums(tape, table, {7, each.data(), some.codes.data(), ones.data()});
        return weighted_mean(attend(x, some.bags(), w, p), weights);
      },
      3e-3);
}

}  // namespace
}  // namespace equipoise::test
