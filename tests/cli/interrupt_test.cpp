// Where the handler of interrupts runs: on a stack of its own, in the thread that catches them and in no worker.
#include "interrupt.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>

#include "core/parallel.h"

namespace equipoise::cli {
namespace {

bool blocked(int signal) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return sigismember(&mask, signal) == 1;
}

TEST(Interrupts, TheHandlerHasAStackOfItsOwn) {
  struct sigaction before_int {
  }, before_term{};
  sigaction(SIGINT, nullptr, &before_int), sigaction(SIGTERM, nullptr, &before_term);
  catch_interrupts();
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    EXPECT_NE(now.sa_flags & SA_ONSTACK, 0) << signal;
    EXPECT_FALSE(blocked(signal)) << signal;
  }
  stack_t stack{};
  ASSERT_EQ(sigaltstack(nullptr, &stack), 0);
  EXPECT_EQ(stack.ss_flags & SS_DISABLE, 0);
  EXPECT_GE(stack.ss_size, std::size_t{64} << 10);
  EXPECT_FALSE(interrupted());
  raise(SIGINT);
  EXPECT_TRUE(interrupted());
  sigaction(SIGINT, &before_int, nullptr), sigaction(SIGTERM, &before_term, nullptr);
}

TEST(Interrupts, WorkersLeaveThemToTheMainThread) {
  Pool pool(3);
  const pthread_t main = pthread_self();
  std::atomic<int> wrong{0}, by_workers{0};
  for (int turn = 0; turn < 1000 && by_workers == 0; ++turn) {
    pool.run(64, [&](std::size_t) {
      const bool worker = pthread_equal(main, pthread_self()) == 0;
      by_workers += worker ? 1 : 0;
      if (blocked(SIGINT) != worker || blocked(SIGTERM) != worker) ++wrong;
    });
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(by_workers, 0);
}

}  // namespace
}  // namespace equipoise::cli
