// Compares rows of a log column by column.
#pragma once

#include <gtest/gtest.h>

#include "data/dataset.h"

namespace equipoise::test {

inline void expect_equal_rows(const Rows& a, const Rows& b) {
  EXPECT_EQ(a.user, b.user);
  EXPECT_EQ(a.item, b.item);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.propensity, b.propensity);
  EXPECT_EQ(a.weight, b.weight);
  EXPECT_EQ(a.timestamp, b.timestamp);
}

}  // namespace equipoise::test
