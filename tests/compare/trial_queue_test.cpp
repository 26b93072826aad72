// The queue of trials: unknown arms first, then the longest; each trial once, none after it is closed.
#include "compare/trial_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "core/parallel.h"

namespace equipoise {
namespace {

std::vector<Job> jobs_of(const std::vector<std::string>& arms, int each) {
  std::vector<Job> out;
  for (const std::string& arm : arms)
    for (int n = 0; n < each; ++n) out.push_back({{"data", arm, kSearch, 0, n}, {}, 0});
  return out;
}

TEST(TrialQueue, OneOfEachUnknownArmThenTheLongestFirst) {
  TrialQueue queue(jobs_of({"a", "b", "c"}, 3));
  queue.took({"data", "b", kSearch, 0, 7}, 2.0);  // from an earlier process
  std::vector<std::string> order;
  const auto seconds = [](const std::string& arm) { return arm == "a" ? 1.0 : arm == "b" ? 2.0 : 3.0; };
  while (const std::optional<Job> job = queue.next()) {
    order.push_back(job->key.arm + std::to_string(job->key.number));
    queue.took(job->key, seconds(job->key.arm));
  }
  EXPECT_EQ(order, (std::vector<std::string>{"a0", "c0", "c1", "c2", "b0", "b1", "b2", "a1", "a2"}));
}

TEST(TrialQueue, AnArmThatIsBegunIsNoLongerUnknown) {
  TrialQueue queue(jobs_of({"a", "b"}, 2));
  EXPECT_EQ(queue.next()->key.arm, "a");
  EXPECT_EQ(queue.next()->key.arm, "b");  // a's first is still under way
  EXPECT_EQ(queue.next()->key.arm, "a");
}

TEST(TrialQueue, EachOnceOnAnyThreadAndNoneOnceClosed) {
  TrialQueue queue(jobs_of({"a", "b", "c"}, 50));
  Pool pool(4);
  std::vector<std::set<std::pair<std::string, int>>> taken(4);
  std::atomic<int> total = 0;
  pool.run(4, [&](std::size_t k) {
    while (const std::optional<Job> job = queue.next()) {
      taken[k].emplace(job->key.arm, job->key.number);
      queue.took(job->key, 0.1 * job->key.number);
      if (++total == 120) queue.close();
    }
  });
  std::set<std::pair<std::string, int>> all;
  for (auto& some : taken) all.merge(some);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(total));
  EXPECT_GE(total, 120);
  EXPECT_LE(total, 123);  // one that another worker had taken before, each
  EXPECT_FALSE(queue.next().has_value());
}

}  // namespace
}  // namespace equipoise
