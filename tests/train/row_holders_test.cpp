// Rows and texts that ranks hold between them reach the first rank in order.
#include "core/row_holders.h"

#include <gtest/gtest.h>

#include "train/thread_ranks.h"

namespace equipoise::test {
namespace {

TEST(RowHolders, PassRowsInOrder) {
  constexpr std::size_t kRows = 200001, kCols = 3;  // several blocks, the last one not full
  for (const int count : {1, 2, 3}) {
    on_ranks(count, [&](Ranks& ranks) {
      const RowHolders holders{ranks.rank(), ranks.size()};
      std::vector<float> mine, all;
      for (std::size_t row = 0; row < kRows; ++row) {
        if (!holders.has(static_cast<std::int32_t>(row))) continue;
        for (std::size_t c = 0; c < kCols; ++c) mine.push_back(static_cast<float>(row * kCols + c));
      }
      EXPECT_EQ(mine.size(), holders.held(kRows) * kCols);
      int blocks = 0;
      pass_rows(ranks, kRows, kCols, mine, [&](std::span<const float> some) {
        all.insert(all.end(), some.begin(), some.end());
        ++blocks;
      });
      EXPECT_EQ(all.size(), ranks.first() ? kRows * kCols : 0);
      EXPECT_EQ(blocks > 1, ranks.first() && count < 3);
      for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], static_cast<float>(k));
    });
  }
}

TEST(RowHolders, PassTextsInOrder) {
  constexpr std::int64_t kTexts = 150001;
  const auto text = [](std::int64_t k) { return k % 7 == 0 ? "" : "text " + std::to_string(k); };
  for (const int count : {1, 2, 3}) {
    on_ranks(count, [&](Ranks& ranks) {
      const Share own = share_of(kTexts, ranks);
      std::vector<std::string> mine, all;
      for (std::int64_t k = own.begin; k < own.end; ++k) mine.push_back(text(k));
      pass_texts(ranks, kTexts, mine, [&](std::span<const std::uint32_t> lengths, std::string_view letters) {
        for (const std::uint32_t length : lengths) {
          all.emplace_back(letters.substr(0, length));
          letters.remove_prefix(length);
        }
        EXPECT_TRUE(letters.empty());
      });
      ASSERT_EQ(std::ssize(all), ranks.first() ? kTexts : 0);
      for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], text(static_cast<std::int64_t>(k)));
    });
  }
}

}  // namespace
}  // namespace equipoise::test
