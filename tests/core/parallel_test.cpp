// The pool: every piece once, exceptions reach the caller, pools within pools, more threads than cores.
#include "core/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>

#include "data/temp_folder.h"

namespace equipoise {
namespace {

TEST(Parallel, EveryPieceExactlyOnceAtAnyNumberOfThreads) {
  for (const int threads : {1, 2, 4, 8}) {
    Pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t pieces : {0, 1, 2, 3, 7, 8, 9, 1000}) {
      std::vector<std::atomic<int>> calls(pieces);
      pool.run(pieces, [&](std::size_t k) { ++calls.at(k); });
      for (std::size_t k = 0; k < pieces; ++k) ASSERT_EQ(calls[k], 1) << threads << " threads, piece " << k;
    }
  }
}

TEST(Parallel, ManyShortRunsOneAfterTheOther) {
  for (const int threads : {2, 4}) {
    Pool pool(threads);
    std::vector<std::size_t> values(8, 0);  // plain: what a run wrote, the next one sees
    for (std::size_t run = 0; run < 1000; ++run) {
      pool.run(values.size(), [&](std::size_t k) { values[k] += k + run; });
    }
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(values[k], 1000 * k + 1000 * 999 / 2);
  }
}

TEST(Parallel, RunsAfterThePoolFellAsleep) {
  Pool pool(4);
  for (int run = 0; run < 5; ++run) {
    std::atomic<int> calls{0};
    pool.run(16, [&](std::size_t) { ++calls; });
    EXPECT_EQ(calls, 16);
    ::usleep(2000);  // longer than the workers spin
  }
}

TEST(Parallel, TheFirstExceptionByIndexReachesTheCaller) {
  for (const int threads : {1, 2, 4, 8}) {
    Pool pool(threads);
    for (int run = 0; run < 50; ++run) {
      const std::string message = test::error_of<Error>([&] {
        pool.run(64, [&](std::size_t k) {
          if (k % 10 == 7) throw DataError("piece " + std::to_string(k));
        });
      });
      ASSERT_EQ(message, "piece 7") << threads;
    }
    std::atomic<int> calls{0};
    pool.run(100, [&](std::size_t) { ++calls; });  // and the pool works on
    EXPECT_EQ(calls, 100);
    EXPECT_THROW(pool.run(3, [](std::size_t) { throw 5; }), int);  // whatever was thrown
    EXPECT_THROW(pool.run(1, [](std::size_t) { throw 5; }), int);
  }
}

TEST(Parallel, AnExceptionIsNotThrownAgainByTheNextRun) {
  Pool pool(2);
  EXPECT_THROW(pool.run(8, [](std::size_t) { throw Error("once"); }), Error);
  EXPECT_NO_THROW(pool.run(8, [](std::size_t) {}));
  EXPECT_NO_THROW(pool.run(1, [](std::size_t) {}));
}

TEST(Parallel, PoolsWithinPools) {
  Pool outer(3);
  std::vector<std::size_t> sums(12, 0);
  outer.run(sums.size(), [&](std::size_t k) {
    Pool inner(2);
    std::vector<std::size_t> parts(20, 0);
    inner.run(parts.size(), [&](std::size_t p) { parts[p] = k * p; });
    sums[k] = std::accumulate(parts.begin(), parts.end(), std::size_t{0});
  });
  for (std::size_t k = 0; k < sums.size(); ++k) EXPECT_EQ(sums[k], k * 190);
}

TEST(Parallel, FarMoreThreadsThanCores) {
  Pool pool(40);
  std::vector<std::size_t> values(333, 0);
  for (int run = 0; run < 10; ++run) pool.run(values.size(), [&](std::size_t k) { values[k] += k; });
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(values[k], 10 * k);
}

TEST(Parallel, PoolsThatNeverRunAndZeroThreads) {
  for (int k = 0; k < 50; ++k) Pool pool(3);
  EXPECT_GE(Pool(0).threads(), 1);
}

TEST(Parallel, TheCallersDenormalsAreLeftAlone) {
  volatile float tiny = 1e-38f;
  EXPECT_GT(tiny * 0.01f, 0.0f) << "before";
  {
    Pool pool(3);
    pool.run(10, [](std::size_t) {});
    EXPECT_GT(tiny * 0.01f, 0.0f) << "beside a pool";
    const FlushDenormals flush, again;
    EXPECT_EQ(tiny * 0.01f, 0.0f);
  }
  EXPECT_GT(tiny * 0.01f, 0.0f) << "after";
}

TEST(Parallel, OneThreadServesManyCallers) {
  Pool callers(4);
  std::atomic<int> sum = 0;
  callers.run(64, [&](std::size_t) { one_thread().run(10, [&](std::size_t k) { sum += static_cast<int>(k); }); });
  EXPECT_EQ(sum, 64 * 45);
}

TEST(Parallel, DenormalsAreZeroInEveryThread) {
  Pool pool(4);
  std::atomic<int> nonzero{0};
  pool.run(64, [&](std::size_t) {
    volatile float tiny = std::numeric_limits<float>::min();
    tiny = tiny * 0.5f;
    nonzero += tiny != 0.0f;
  });
  EXPECT_EQ(nonzero, 0);
}

TEST(Parallel, ChunksCoverTheRows) {
  EXPECT_EQ(chunks(0), 0U);
  EXPECT_EQ(chunks(1), 1U);
  EXPECT_EQ(chunks(128), 1U);
  EXPECT_EQ(chunks(129), 2U);
  EXPECT_EQ(chunks(10, 3), 4U);
}

[[noreturn]] void start_more_threads_than_fit() {
  const rlimit little{std::size_t{400} << 20, std::size_t{400} << 20};
  ::setrlimit(RLIMIT_AS, &little);
  try {
    Pool pool(2000);
  } catch (const Error& error) {
    std::fputs(error.what(), stderr);
    std::_Exit(7);
  }
  std::_Exit(0);
}

// In a process of its own with little room for stacks: an error of ours, and no thread left running.
TEST(ParallelDeathTest, ThreadsThatCannotBeStartedAreAnError) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need the whole address space";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(start_more_threads_than_fit(), ::testing::ExitedWithCode(7), "2000 threads cannot be started");
}

TEST(Parallel, APieceKnowsWhichThreadRunsIt) {
  Pool outer(3);
  std::vector<std::atomic<int>> busy(3);
  std::atomic<int> faults = 0;
  outer.run(60, [&](std::size_t) {
    const std::size_t worker = Pool::worker();
    if (worker >= 3 || busy[worker].fetch_add(1) != 0) ++faults;  // nobody else has that number now
    Pool inner(2);
    inner.run(4, [&](std::size_t) { faults += Pool::worker() >= 2 ? 1 : 0; });
    if (Pool::worker() != worker) ++faults;
    busy[worker].fetch_sub(1);
  });
  EXPECT_EQ(faults, 0);
  EXPECT_EQ(Pool::worker(), 0u);
}

}  // namespace
}  // namespace equipoise
