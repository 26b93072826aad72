// The program's ear: what is said where, and silence where stderr is no terminal.
#include "terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <optional>

#include "core/file.h"
#include "data/temp_folder.h"

namespace equipoise::cli {
namespace {

using test::TempFolder;

void heard(const std::function<void()>& call, bool quiet = false) {
  Terminal terminal(quiet);
  const ListenerScope scope(terminal);
  call();
}

// What the call writes to stderr while that descriptor takes its place.
void with_stderr(int descriptor, const std::function<void()>& call) {
  const int before = ::dup(STDERR_FILENO);
  ::dup2(descriptor, STDERR_FILENO);
  call();
  ::dup2(before, STDERR_FILENO);
  ::close(before);
}

std::string said(const std::function<void()>& call, bool quiet = false) {
  const TempFolder folder;
  const int file = ::open((folder / "err").c_str(), O_RDWR | O_CREAT, 0600);
  with_stderr(file, [&] { heard(call, quiet); });
  ::close(file);
  return read_file(folder / "err");
}

// The same on a terminal of our own; nothing where the machine has none to give, which is another thing than silence.
std::optional<std::string> said_on_terminal(const std::function<void()>& call, bool quiet = false) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0) return std::nullopt;
  const bool open = ::grantpt(master) == 0 && ::unlockpt(master) == 0;
  const int slave = open ? ::open(::ptsname(master), O_RDWR | O_NOCTTY) : -1;
  std::optional<std::string> text;
  if (slave >= 0) {
    with_stderr(slave, [&] { heard(call, quiet); });
    ::close(slave);  // from now on reading ends with an error once all has been read, and waits for what is under way
    text.emplace();
    char bytes[4096];
    for (ssize_t got = 0; (got = ::read(master, bytes, sizeof bytes)) > 0;) {
      text->append(bytes, static_cast<std::size_t>(got));
    }
  }
  ::close(master);
  return text;
}

void run_bar() {
  Progress progress("fit", 10, "rows");
  for (int k = 0; k <= 10; ++k) progress.update(k, "auc 0.8");
}

TEST(Terminal, NotesAndWarningsAreLines) {
  EXPECT_EQ(said([] { note("read 10 rows"); }), "read 10 rows\n");
  EXPECT_EQ(said([] { warn("few rows"); }), "warning: few rows\n");  // no colour: not a terminal
}

TEST(Terminal, QuietSilencesNotesButNoWarning) {
  EXPECT_EQ(said([] { note("x"); }, true), "");
  EXPECT_EQ(said([] { warn("x"); }, true), "warning: x\n");
  EXPECT_EQ(said_on_terminal(run_bar, true).value_or(""), "");
}

TEST(Terminal, NoBarWhereStderrIsNoTerminal) {
  EXPECT_EQ(said(run_bar), "");
  EXPECT_EQ(said([] { EXPECT_FALSE(colour_allowed()); }), "");
}

TEST(Terminal, ABarOnATerminalThatGoesAwayAgain) {
  const std::optional<std::string> drawn = said_on_terminal([] {
    Progress progress("fit", 10, "rows");
    progress.update(5, "auc 0.8");
    progress.update(6, "too soon to be drawn");
  });
  if (!drawn) GTEST_SKIP() << "no pseudo-terminal on this machine";
  const std::string& text = *drawn;
  EXPECT_NE(text.find("fit [############............]  50% "), std::string::npos) << text;
  EXPECT_NE(text.find(" rows/s, 0:00 left auc 0.8"), std::string::npos) << text;
  EXPECT_EQ(text.find("too soon"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\033[K")) << text;
}

TEST(Terminal, NoColorIsHonoured) {
  ::unsetenv("NO_COLOR");
  const std::optional<std::string> with = said_on_terminal([] { warn("x"); });
  ::setenv("NO_COLOR", "1", 1);
  const std::optional<std::string> without = said_on_terminal([] { warn("x"); });
  ::unsetenv("NO_COLOR");
  if (!with || !without) GTEST_SKIP() << "no pseudo-terminal on this machine";
  EXPECT_EQ(with, "\033[33mwarning:\033[0m x\r\n");
  EXPECT_EQ(without, "warning: x\r\n");
}

TEST(Terminal, AFullOrClosedStderrStopsNothing) {
  const auto talk = [] {
    heard([] {
      note("x");
      warn("x");
      run_bar();
    });
  };
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  with_stderr(full, [&] { EXPECT_NO_THROW(talk()); });
  ::close(full);
  with_stderr(STDERR_FILENO, [&] {
    ::close(STDERR_FILENO);
    EXPECT_NO_THROW(talk());
  });
}

}  // namespace
}  // namespace equipoise::cli
