// The standard streams: held where they are closed, and stderr that cannot be written.
#include "streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace equipoise::cli {
namespace {

/// What the test says in a process of its own: 0 = all holds.
int in_a_child(int (*test)()) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(test());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Streams, ClosedOnesAreHeldAndCannotBeUsed) {
  const auto test = [] {
    for (const int stream : {0, 1, 2}) ::close(stream);
    hold_standard_streams();
    char byte = 0;
    if (::read(0, &byte, 1) >= 0 || ::write(1, "x", 1) >= 0 || ::write(2, "x", 1) >= 0) return 1;
    return ::open("/dev/null", O_RDONLY) > 2 ? 0 : 2;
  };
  EXPECT_EQ(in_a_child(test), 0);
}

TEST(Streams, OneThatIsOpenStays) {
  const auto test = [] {
    ::close(1);
    hold_standard_streams();
    return ::fcntl(2, F_GETFD) != -1 && ::write(1, "x", 1) < 0 ? 0 : 1;
  };
  EXPECT_EQ(in_a_child(test), 0);
}

TEST(Streams, AnErrorThatCannotBeSaidIsLost) {
  const auto closed = [] { return ::close(2), write_stderr("x"), 0; };
  const auto full = [] { return ::dup2(::open("/dev/full", O_WRONLY), 2), write_stderr("x"), 0; };
  const auto unread = [] {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) return 1;
    std::signal(SIGPIPE, SIG_IGN);
    ::dup2(ends[1], 2), ::close(ends[0]);
    write_stderr("x");
    return 0;
  };
  EXPECT_EQ(in_a_child(closed), 0);
  EXPECT_EQ(in_a_child(full), 0);
  EXPECT_EQ(in_a_child(unread), 0);
}

}  // namespace
}  // namespace equipoise::cli
