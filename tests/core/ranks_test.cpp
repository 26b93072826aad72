// One process as ranks: every call gives back what it was given.
#include "core/ranks.h"

#include <gtest/gtest.h>

namespace equipoise {
namespace {

TEST(single_process, is_alone_and_hears_itself) {
  Ranks& one = single_process();
  EXPECT_TRUE(one.alone() && one.first() && one.size() == 1 && one.bytes_sent() == 0 && !one.peer_failed());
  EXPECT_TRUE(one.any(true));
  EXPECT_FALSE(one.any(false));
  EXPECT_EQ(gather_texts(one, "abc"), std::vector<std::string>{"abc"});
  const std::vector<std::string> texts{"", "x", "a longer one than fits anywhere"};
  EXPECT_EQ(gather_all_texts(one, texts), texts);
  EXPECT_EQ(broadcast_text(one, "text"), "text");
  EXPECT_EQ(disagreement(one, "seed", "1"), "");
  const Ending ending = one.end({3, "why"});
  EXPECT_EQ(ending.exit, 3);
  EXPECT_EQ(ending.line, "why");
}

TEST(single_process, adds_pieces_in_their_order) {
  const std::vector<float> pieces{1e8f, 1, -1e8f, 1, 0.5f, 2};  // three of two
  std::vector<float> sum{0, 10};
  SumRoom room;
  ordered_sum<float>(single_process(), pieces, sum, room);
  EXPECT_EQ(sum, (std::vector<float>{0.5f, 14}));
}

TEST(parcels, have_a_place_for_every_rank) {
  Parcels parcels;
  const std::size_t sizes[] = {3 * sizeof(double), 0, 5 * sizeof(double)};
  parcels.lay_out(sizes);
  for (int r = 0; r < 3; ++r) {
    for (double& value : parcels.values<double>(r)) value = r + 0.5;
  }
  EXPECT_EQ(parcels.count(), 3U);
  EXPECT_EQ(parcels.values<double>(0)[2], 0.5);
  EXPECT_TRUE(parcels.of(1).empty());
  EXPECT_EQ(parcels.values<double>(2)[4], 2.5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(parcels.of(2).data()) % 64, 0U);
}

}  // namespace
}  // namespace equipoise
