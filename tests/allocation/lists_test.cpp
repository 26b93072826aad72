// A warm draw of a list, with its chances, asks the system for no memory.
#include "policy/lists.h"

#include <gtest/gtest.h>

#include "allocation/counter.h"

namespace equipoise::test {
namespace {

TEST(DrawnLists, AllocateNothingOnceWarm) {
  std::vector<Recommended> ranked;
  for (std::int32_t i = 0; i < 300; ++i) ranked.push_back({i, 3.0f - 0.02f * static_cast<float>(i)});
  const std::vector<std::int32_t> left_out = {310, 400};
  for (const char* text : {"none", "epsilon=0.5", "plackett-luce,pool=100,epsilon=0.3"}) {
    const ListPolicy policy(Policy::parse(text), 3);
    PolicyRoom room;
    std::vector<std::int32_t> list;
    std::vector<Chances> chances;
    std::string request = "request 1000";
    std::size_t before = 0;
    for (int n = 0; n < 60; ++n) {
      if (n == 40) before = allocations();
      request[11] = static_cast<char>('0' + n % 10), request[10] = static_cast<char>('0' + n / 10);
      policy.draw(request, ranked, EligibleItems(500, left_out), 10, room, list, chances);
    }
    EXPECT_EQ(allocations() - before, 0U) << text;
  }
}

}  // namespace
}  // namespace equipoise::test
