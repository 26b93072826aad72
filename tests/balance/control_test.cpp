// Controls: what a strategy is given by them, and that shrinkage is as strong as all-pairs is by chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "balance/all_pairs.h"
#include "balance/balance.h"
#include "core/random.h"

namespace equipoise {
namespace {

/// Keeps what it is given.
struct Spy final : Balance {
  void read(const Dataset& data) override { log = data.train; }
  void begin_epoch(const Dataset& data, int, Pool&) override { at_epoch = data.train; }
  Var weigh(Tape& tape, const Pairs& shown, Var) override {
    const Var out = tape.make(shown.size(), 1, false);
    for (std::size_t k = 0; k < shown.size(); ++k) {
      out.value().data[k] = static_cast<float>(100 * shown.user[k] + shown.item[k]);
    }
    return out;
  }
  Var term(Tape&, const Batch& batch, Var, Var w, float) override {
    items.assign(batch.shown.item.begin(), batch.shown.item.end());
    return w;
  }

  Rows log, at_epoch;
  std::vector<std::int32_t> items;
};

Dataset log_of(std::size_t rows) {
  Dataset out;
  Stream draw(1, "log");
  for (std::size_t r = 0; r < rows; ++r) {
    out.train.user.push_back(static_cast<std::int32_t>(draw.below(30)));
    out.train.item.push_back(static_cast<std::int32_t>(draw.below(8)));
    out.train.label.push_back(1);
  }
  return out;
}

struct AllRows {
  explicit AllRows(const Rows& log) : numbers(log.size()), weight(log.size(), 1.0f) {
    std::iota(numbers.begin(), numbers.end(), 0u);
    batch.shown = {log.user, log.item, log.label, weight, numbers};
  }
  std::vector<std::uint32_t> numbers;
  std::vector<float> weight;
  Batch batch;
};

TEST(Control, PermutedItemsAreThoseOfTheLogInAnotherOrder) {
  const Dataset data = log_of(200);
  auto made = std::make_unique<Spy>();
  Spy& spy = *made;
  const auto control = make_control("permuted-items", std::move(made), 1);
  control->read(data);
  EXPECT_EQ(spy.log.user, data.train.user);
  EXPECT_NE(spy.log.item, data.train.item);
  std::vector<std::int32_t> a = spy.log.item, b = data.train.item;
  std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b);
  Pool pool(1);
  control->begin_epoch(data, 1, pool);
  EXPECT_EQ(spy.at_epoch.item, spy.log.item);
  Tape tape(pool);
  const AllRows all(data.train);
  const Var w = control->weigh(tape, all.batch.shown, {});
  control->term(tape, all.batch, w, w, 1);
  EXPECT_EQ(spy.items, spy.log.item) << "a batch's rows have the items that the log has there";
  for (std::size_t r = 0; r < 200; ++r) {
    EXPECT_EQ(w.value().data[r], static_cast<float>(100 * data.train.user[r] + spy.log.item[r]));
  }
}

TEST(Control, ShuffledWeightsAreTheSameAtOtherRows) {
  const Dataset data = log_of(200);
  const auto control = make_control("shuffled-weights", std::make_unique<Spy>(), 1);
  control->read(data);
  Pool pool(1);
  Tape tape(pool);
  const AllRows all(data.train);
  const Var w = control->weigh(tape, all.batch.shown, {}), own = Spy().weigh(tape, all.batch.shown, {});
  std::vector<float> a(w.value().data, w.value().data + 200), b(own.value().data, own.value().data + 200);
  EXPECT_NE(a, b);
  std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b) << "user and item of one row stay together";
  EXPECT_EQ(make_control("permuted-items", nullptr, 1), nullptr);
}

TEST(Shrinkage, IsAsStrongAsAllPairsIsByChance) {
  const std::size_t rows = 400, width = 3;
  const Dataset data = log_of(rows);
  Stream draw(2, "phi");
  std::vector<float> phi(rows * width);
  for (float& v : phi) v = static_cast<float>(draw.normal());
  // All-pairs over the variance, on average over logs whose items are drawn anew.
  double expected = 0, variance = 0;
  for (std::size_t k = 0; k < width; ++k) {
    double sum = 0, squared = 0;
    for (std::size_t r = 0; r < rows; ++r)
      sum += phi[r * width + k], squared += phi[r * width + k] * phi[r * width + k];
    variance += squared / rows - sum / rows * sum / rows;
  }
  std::vector<std::int32_t> items = data.train.item;
  constexpr int kDraws = 400;
  for (int n = 0; n < kDraws; ++n) {
    draw.shuffle(std::span(items));
    AllPairs pairs(8, width);
    pairs.add({phi.data(), rows, width}, items);
    expected += pairs.value() / variance / kDraws;
  }
  BalanceParams params;
  params.balance = "shrinkage";
  Networks networks;
  const auto balance = make_balance(params, {8, width, 1, {}}, networks);
  balance->read(data);
  Pool pool(1);
  Tape tape(pool);
  const AllRows all(data.train);
  const double squares = std::inner_product(phi.begin(), phi.end(), phi.begin(), 0.0) / rows;
  const float term = balance->term(tape, all.batch, tape.constant(phi.data(), rows, width), {}, 2).number();
  EXPECT_NEAR(term / (2 * squares), expected, 0.05 * expected);
}

}  // namespace
}  // namespace equipoise
