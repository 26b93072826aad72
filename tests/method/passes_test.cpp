// Passes of cbr over the whole log: they see of a row what training sees of it.
#include <gtest/gtest.h>

#include "registry.h"

namespace equipoise::test {
namespace {

/// Everybody has one item, so that training sees nobody's history: the item is left out, or the one in its place.
Dataset one_row_each() {
  Dataset data;
  for (std::int32_t i = 0; i < 6; ++i) data.items.add("i" + std::to_string(i));
  for (std::int32_t u = 0; u < 60; ++u) {
    data.users.add("u" + std::to_string(u));
    data.train.user.push_back(u), data.train.item.push_back(u % 6),
        data.train.label.push_back(u % 2 == 0 ? 1.0f : 0.0f);
  }
  return data;
}

TEST(CbrPasses, LeaveOutWhatTrainingLeavesOut) {
  const Dataset data = one_row_each();
  for (const bool permuted : {false, true}) {
    ModelParams params;
    params.history.parts = "shown";
    params.history.permuted = permuted;
    Built built({"cbr", "gmf"}, data, params);
    Pool pool(1);
    const std::string before = built.method->findings(data, pool).dump();
    bool found = false;
    for (TrainedArray& array : built.networks.at("f").arrays()) {
      if (array.name().find("history") == std::string::npos) continue;
      found = true;
      for (std::size_t k = 0; k < array.values().size(); ++k) array.values()[k] = static_cast<float>(k % 7) - 3;
    }
    ASSERT_TRUE(found);
    EXPECT_EQ(built.method->findings(data, pool).dump(), before) << (permuted ? "permuted" : "as it is");
  }
}

}  // namespace
}  // namespace equipoise::test
