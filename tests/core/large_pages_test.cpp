// Large pages are a wish: memory of any size and place is as it was, and can be written.
#include "core/large_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace equipoise {
namespace {

TEST(LargePages, MemoryKeepsWhatIsInIt) {
  for (const std::size_t size : {0U, 1U, 5000U, 9U << 20}) {
    std::vector<char> memory(size + 2, 'x');
    prefer_large_pages(memory.data() + 1, size);
    EXPECT_EQ(std::count(memory.begin(), memory.end(), 'x'), static_cast<std::ptrdiff_t>(size + 2));
    std::fill(memory.begin(), memory.end(), 'y');
    EXPECT_EQ(memory.back(), 'y');
  }
  prefer_large_pages(nullptr, 0);
}

}  // namespace
}  // namespace equipoise
