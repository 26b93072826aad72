// The arena: aligned pieces that do not meet, and one block of memory once it is warm.
#include "grad/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace equipoise {
namespace {

TEST(Arena, PiecesAreAlignedAndDoNotMeet) {
  Arena arena;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::pair<unsigned char*, std::size_t>> pieces;
    for (std::size_t k = 0; k < 200; ++k) {
      const std::size_t size = k * k * 7 % 50000;  // 0 among them; together more than the first block
      auto* piece = static_cast<unsigned char*>(arena.take(size));
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(piece) % 64, 0U);
      std::memset(piece, static_cast<int>(k), size);
      pieces.emplace_back(piece, size);
    }
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      for (std::size_t i = 0; i < pieces[k].second; ++i) ASSERT_EQ(pieces[k].first[i], static_cast<unsigned char>(k));
    }
    arena.clear();
  }
}

TEST(Arena, AWarmOneHandsOutTheSameMemoryInOnePiece) {
  Arena arena;
  const auto fill = [&] {
    std::vector<char*> out;
    for (int k = 0; k < 20; ++k) out.push_back(arena.take_array<char>(100000));
    arena.clear();
    return out;
  };
  fill();  // grows
  const std::vector<char*> warm = fill();
  for (std::size_t k = 1; k < warm.size(); ++k) EXPECT_EQ(warm[k] - warm[k - 1], 100032);
  EXPECT_EQ(fill(), warm);
}

TEST(Arena, APieceLargerThanAnyBlock) {
  Arena arena;
  float* small = arena.take_array<float>(1);
  *small = 7;
  float* large = arena.take_array<float>(std::size_t{1} << 21);
  large[(std::size_t{1} << 21) - 1] = 1;
  EXPECT_EQ(*small, 7);  // growing moves nothing
}

}  // namespace
}  // namespace equipoise
