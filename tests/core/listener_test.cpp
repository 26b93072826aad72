// Who hears of work: the thread's own listener, its workers' too, and nobody where there is none.
#include "core/listener.h"

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "stopping.h"

namespace equipoise {
namespace {

TEST(Listener, NobodyListensWithoutAScope) {
  ::testing::internal::CaptureStderr();
  note("a note");
  warn("a warning");
  {
    Progress progress("fit", 10, "rows");
    progress.update(5);
  }
  EXPECT_FALSE(stop_requested());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Listener, ScopesAreNestedAndEnd) {
  test::Hearing outer;
  note("one");
  {
    test::Hearing inner;
    note("two");
    EXPECT_EQ(inner.notes, std::vector<std::string>{"two"});
  }
  note("three");
  EXPECT_EQ(outer.notes, (std::vector<std::string>{"one", "three"}));
}

TEST(Listener, APoolHandsItOnToItsWorkers) {
  Pool pool(4);
  test::Hearing hearing;
  pool.run(100, [](std::size_t piece) { note(std::to_string(piece)); });
  EXPECT_EQ(hearing.notes.size(), 100U);
  {
    test::Stopping stopping;
    stopping.stop = true;
    std::atomic<int> stopped = 0;
    pool.run(50, [&](std::size_t) { stopped += stop_requested() ? 1 : 0; });
    EXPECT_EQ(stopped, 50);
  }
  std::atomic<int> stopped = 0;
  pool.run(50, [&](std::size_t) { stopped += stop_requested() ? 1 : 0; });
  EXPECT_EQ(stopped, 0);
}

TEST(Listener, ProgressIsToldAndEnds) {
  test::Hearing hearing;
  {
    Progress progress("fit", 10, "rows");
    progress.update(5);
    progress.update(6);
  }
  EXPECT_EQ(hearing.advances, (std::vector<std::string>{"fit 0", "fit 5", "fit 6"}));
  EXPECT_EQ(hearing.ended, 1);
}

}  // namespace
}  // namespace equipoise
