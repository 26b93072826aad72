// Item weights against their formula.
#include "balance/item_weights.h"

#include <gtest/gtest.h>

#include <cmath>

namespace equipoise {
namespace {

/// Items 0, 1, 1, 2, 2, 2, 2; item 3 never occurs.
Rows seven_rows() {
  Rows log;
  for (const std::int32_t item : {0, 1, 1, 2, 2, 2, 2}) log.user.push_back(0), log.item.push_back(item);
  return log;
}

std::vector<float> weights(const char* power, const char* cap, const std::vector<float>& own) {
  const Rows log = seven_rows();
  ItemWeights w;
  Params params;
  w.describe(params);
  params.set("item_weight_power", power);
  params.set("item_weight_cap", cap);
  w.read(log, 4);
  Pool pool(1);
  Tape tape(pool, false);
  const Matrix out = w(tape, {log.user, log.item, {}, own, {}}).value();
  return {out.data, out.data + out.size()};
}

TEST(ItemWeights, LetEveryItemCountTheSameAtPowerOne) {
  const std::vector<float> w = weights("1", "100", std::vector<float>(7, 1.0f));
  double total = 0;
  for (const float x : w) total += x;
  EXPECT_NEAR(total, 7, 1e-5) << "1 on average";
  EXPECT_NEAR(w[0], 7.0 / 3, 1e-6) << "T = 7, N = 3, T_0 = 1";
  EXPECT_NEAR(w[1] + w[2], w[0], 1e-6);
  EXPECT_NEAR(4 * w[3], w[0], 1e-6);
}

TEST(ItemWeights, HaveAPowerACapAndTheLogsOwnWeights) {
  const std::vector<float> own{2, 1, 1, 1, 1, 1, 0.5f};
  const std::vector<float> half = weights("0.5", "1.2", own);
  EXPECT_NEAR(half[0], 2 * 1.2, 1e-6) << "capped";
  EXPECT_NEAR(half[1], std::sqrt(7.0 / 6), 1e-6);
  EXPECT_NEAR(half[6], 0.5 * std::sqrt(7.0 / 12), 1e-6);
  EXPECT_EQ(weights("0", "100", own), own);
}

}  // namespace
}  // namespace equipoise
