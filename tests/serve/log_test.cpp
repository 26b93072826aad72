// The served log: places, files, torn ends, disks that are full, clocks that go back.
#include "serve/log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "data/served/files.h"
#include "data/temp_folder.h"

namespace equipoise::test {
namespace {

/// A log and the thread that writes it, for one test.
class Log {
 public:
  explicit Log(const std::string& folder, int rotate_mb = 256) {
    ServedLogParams params;
    params.log = folder;
    params.rotate_mb = rotate_mb;
    log = std::make_unique<ServedLog>(params, ServedOpening{1, "test"}, [this] { return now; });
    log->on_progress([this](std::uint64_t ticket, bool durable) {
      was_durable = durable;
      heard = ticket;
    });
  }
  /// Appends, and writes what there is.
  template <class F>
  void with_writer(F f) {
    Pool pool(2);
    pool.run(2, [&](std::size_t piece) {
      if (piece == 1) return log->write_until_stopped();
      f();
      log->stop();
    });
  }
  std::uint64_t append(const ServedFeedback& feedback) {
    std::string line;
    append_line(line, feedback);
    const std::uint64_t ticket = log->append(line, {0}, positions);
    if (!positions.empty()) last = positions.front();
    return ticket;
  }
  void await(std::uint64_t ticket) {
    while (heard < ticket) sched_yield();
  }

  std::int64_t now = 1000;
  std::unique_ptr<ServedLog> log;
  std::vector<LogPosition> positions;
  LogPosition last;
  std::atomic<std::uint64_t> heard{0};
  std::atomic<bool> was_durable{false};
};

std::vector<ServedLine> lines_of(const std::string& folder) {
  std::vector<ServedLine> out;
  for (const ServedFile& file : served_files(folder)) {
    each_served_line(file.path, [&](std::string_view line, std::int64_t number) {
      out.push_back(parse_line(line, file.path, number));
    });
  }
  return out;
}

ServedFeedback feedback(int n, std::size_t size = 1) {
  return {"r", "u", std::to_string(n) + std::string(size, 'x'), 1};
}

TEST(ServedLogTest, LinesAreNumberedAndFoundByTheirPlace) {
  const TempFolder folder;
  std::vector<LogPosition> places;
  for (int start = 0; start < 3; ++start) {
    Log log(folder.path());
    log.with_writer([&] {
      for (int n = 0; n < 10; ++n) {
        log.append(feedback(10 * start + n));
        places.push_back(log.last);
      }
    });
    for (std::size_t n = 0; n < places.size(); ++n) {
      EXPECT_EQ(parse_line(log.log->line_at(places[n]), "log", 0).feedback->item, std::to_string(n) + "x");
    }
    EXPECT_EQ(log.log->line_at({places[0].file, places[0].offset + 1}), "") << "within a line";
    EXPECT_EQ(log.log->line_at({places[0].file, 1 << 30}), "");
    EXPECT_EQ(log.log->line_at({99, 0}), "");
  }
  const auto lines = lines_of(folder.path());
  EXPECT_EQ(lines.size(), 33U) << "with an opening each";
  for (std::size_t n = 0; n < lines.size(); ++n) EXPECT_EQ(lines[n].number, static_cast<std::int64_t>(n) + 1);
}

TEST(ServedLogTest, ATornEndIsCutAndTheLogGoesOnBehindIt) {
  const TempFolder folder;
  {
    Log log(folder.path());
    log.with_writer([&] { log.append(feedback(1)), log.append(feedback(2)); });
  }
  const std::string path = served_path(folder.path(), 1), whole = read_file(path);
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t cut = last; cut < whole.size(); cut += 7) {
    write_file(path, whole.substr(0, cut));
    Log log(folder.path());
    log.with_writer([&] { log.append(feedback(3)); });
    const auto lines = lines_of(folder.path());
    ASSERT_EQ(lines.size(), 4U) << cut;
    EXPECT_EQ(lines[3].feedback->item, "3x");
    EXPECT_EQ(lines[3].number, 4);
  }
}

// What is not torn but changed stays for the importer to refuse by name; new lines go to a file of their own.
TEST(ServedLogTest, ADamagedFileIsLeftAlone) {
  const TempFolder folder;
  {
    Log log(folder.path());
    log.with_writer([&] { log.append(feedback(1)), log.append(feedback(2)); });
  }
  std::string bytes = read_file(served_path(folder.path(), 1));
  bytes[bytes.size() / 2] = '?';
  write_file(served_path(folder.path(), 1), bytes);
  Log log(folder.path());
  log.with_writer([&] { log.append(feedback(3)); });
  EXPECT_EQ(read_file(served_path(folder.path(), 1)), bytes);
  EXPECT_EQ(log.last.file, 2U);
}

TEST(ServedLogTest, BeginsAnotherFileWhenOneIsFull) {
  const TempFolder folder;
  Log log(folder.path(), 1);
  log.with_writer([&] {
    for (int n = 0; n < 25; ++n) log.append(feedback(n, 100000));
  });
  EXPECT_EQ(served_files(folder.path()).size(), 3U);
  int found = 0;
  for (const ServedFile& file : served_files(folder.path())) {
    EXPECT_LE(PlainFile(file.path).size(), std::uint64_t{1} << 20);
    each_served_line(file.path, [&](std::string_view line, std::int64_t) {
      EXPECT_TRUE(is_whole_line(line));
      found += is_feedback_line(line) ? 1 : 0;
    });
  }
  EXPECT_EQ(found, 25);
}

TEST(ServedLogTest, AClockThatIsSetBackStandsStill) {
  const TempFolder folder;
  {
    Log log(folder.path());
    log.with_writer([&] {
      log.append(feedback(1));
      log.now = 500;
      log.append(feedback(2));
      log.now = 2000;
      log.append(feedback(3));
    });
  }
  const auto lines = lines_of(folder.path());
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[1].time, 1000);
  EXPECT_EQ(lines[2].time, 1000);
  EXPECT_EQ(lines[3].time, 2000);
  Log later(folder.path());
  later.with_writer([&] { later.append(feedback(4)); });  // its clock begins at 1000
  EXPECT_EQ(lines_of(folder.path()).back().time, 2000);
}

TEST(ServedLogTest, WhatCannotBeWrittenIsRefusedAndLeavesNothing) {
  const TempFolder folder;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  Log log(folder.path());
  log.with_writer([&] {
    const std::uint64_t good = log.append(feedback(1));
    log.await(good);
    EXPECT_TRUE(log.was_durable);
    rlimit small{4096, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::uint64_t bad = log.append(feedback(2, 10000));
    log.await(bad);
    EXPECT_FALSE(log.was_durable) << "a file that may not grow";
    EXPECT_FALSE(log.log->works());
    setrlimit(RLIMIT_FSIZE, &before);
    while (!log.log->works()) sched_yield();
    const std::uint64_t again = log.append(feedback(3));
    log.await(again);
    EXPECT_TRUE(log.was_durable);
  });
  std::vector<std::string> items;
  std::int64_t next = 1;
  for (const ServedLine& line : lines_of(folder.path())) {
    EXPECT_EQ(line.number, next++);
    if (line.feedback) items.push_back(line.feedback->item);
  }
  EXPECT_EQ(items, (std::vector<std::string>{"1x", "3x"}));
}

TEST(ServedLogTest, TwoServersDoNotShareOne) {
  const TempFolder folder;
  const Log log(folder.path());
  EXPECT_THROW(Log(folder.path()), OutputError);
}

}  // namespace
}  // namespace equipoise::test
