// Parameters: rows touched in order, slots, clearing, and networks that hold them.
#include "grad/trained_array.h"

#include <gtest/gtest.h>

#include "grad/kernels.h"

namespace equipoise {
namespace {

using Kind = TrainedArray::Kind;

TEST(TrainedArray, ATableHoldsTheRowsThatWereTouched) {
  TrainedArray p("t", Kind::table, 6, 2);
  p.expect_touches(3);
  p.touch(4)[0] = 1;
  p.touch(1)[1] = 2;
  p.touch(4)[0] += 10;  // the same place again
  EXPECT_EQ(p.touched(), (std::vector<std::int32_t>{4, 1}));
  EXPECT_EQ(p.slot(4), 0);
  EXPECT_EQ(p.slot(1), 1);
  for (const std::size_t other : {0U, 2U, 3U, 5U}) EXPECT_EQ(p.slot(other), -1);
  EXPECT_EQ(p.touched_gradient(0)[0], 11.0f);
  EXPECT_EQ(p.touched_gradient(0)[1], 0.0f);
  EXPECT_EQ(p.touched_gradient(1)[1], 2.0f);
}

TEST(TrainedArray, ManyRowsAreTouchedAtOnce) {
  TrainedArray p("t", Kind::table, 6, 2);
  p.expect_touches(5);
  std::vector<std::int32_t> rows = {4, -1, 1, 4, 5};
  p.touch_slots(rows.data(), rows.size());
  EXPECT_EQ(rows, (std::vector<std::int32_t>{~0, kNoSlot, ~1, 0, ~2}));
  EXPECT_EQ(p.touched(), (std::vector<std::int32_t>{4, 1, 5}));
  p.expect_touches(100);
  std::vector<std::int32_t> all = {0, 1, 2, 3, 4, 5, 0};
  p.touch_slots(all.data(), all.size());
  EXPECT_EQ(all, (std::vector<std::int32_t>{~3, 1, ~4, ~5, 0, 2, 3}));
  EXPECT_EQ(p.touched(), (std::vector<std::int32_t>{4, 1, 5, 0, 2, 3}));
}

TEST(TrainedArray, ClearForgetsTheRowsAndTheNextTouchBeginsAtZero) {
  TrainedArray p("t", Kind::table, 6, 2);
  p.expect_touches(1);
  p.touch(3)[0] = 5;
  p.mark_gradient();
  p.clear_gradient();
  EXPECT_FALSE(p.has_gradient());
  EXPECT_TRUE(p.touched().empty());
  EXPECT_EQ(p.slot(3), -1);
  p.expect_touches(1);
  EXPECT_EQ(p.touch(2)[0], 0.0f);  // the memory of row 3's gradient is used again
  EXPECT_EQ(p.slot(2), 0);
}

TEST(TrainedArray, RoomGrowsWithSeveralLookupsAndKeepsWhatIsThere) {
  TrainedArray p("t", Kind::table, 1000, 3);
  for (std::int32_t first = 0; first < 1000; first += 100) {
    p.expect_touches(100);
    for (std::int32_t r = first; r < first + 100; ++r) p.touch(r)[2] = static_cast<float>(r);
  }
  p.expect_touches(1000000);  // never more than there are rows
  for (std::size_t r = 0; r < 1000; ++r) {
    EXPECT_EQ(p.touched_gradient(static_cast<std::size_t>(p.slot(r)))[2], static_cast<float>(r));
    EXPECT_EQ(p.touched_gradient(static_cast<std::size_t>(p.slot(r)))[0], 0.0f);
  }
}

TEST(TrainedArray, ADenseGradientIsZeroUntilAddedToAndAfterClearing) {
  TrainedArray p("d", Kind::dense, 2, 3);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(p.gradient().data[i], 0.0f);
  p.gradient().row(1)[2] = 4;
  p.mark_gradient();
  p.clear_gradient();
  EXPECT_FALSE(p.has_gradient());
  EXPECT_EQ(p.gradient().row(1)[2], 0.0f);
}

TEST(TrainedArray, MemoryIsAligned) {
  TrainedArray p("d", Kind::dense, 3, 5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p.value().data) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p.gradient().data) % 64, 0U);
}

TEST(Networks, NamesAndPointersThatStay) {
  Networks all;
  Network& f = all.add("f");
  TrainedArray* first = &f.add("w", Kind::dense, 2, 2);
  for (int k = 0; k < 100; ++k) {
    f.add("more", Kind::dense, 1, 1);
    all.add("other");
  }
  EXPECT_EQ(&all.at("f"), &f);
  EXPECT_EQ(&f.arrays().front(), first);
  EXPECT_EQ(first->name(), "f/w");
  EXPECT_THROW(all.at("none"), std::logic_error);
}

}  // namespace
}  // namespace equipoise
