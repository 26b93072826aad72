// The served log as a server writes it: lines of all loops in one order, durable in groups, in files of bounded size.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/params.h"
#include "data/served/line.h"

namespace equipoise {

struct ServedLogParams {
  std::string log;
  std::string sync = "always";
  int rotate_mb = 256;

  void describe(Params& p);
};

/// Where a line begins.
struct LogPosition {
  std::uint64_t file = 0;
  std::uint64_t offset = 0;
  std::int64_t number = 0;  // the line's, where it is known
};

/// Any number of threads append; one thread runs `write_until_stopped`. A line is acknowledged, by a call of
/// `progressed`, once it is written (and, as asked for, synced). When writing fails, what is not acknowledged is taken
/// back out of the file and refused, until writing works again.
class ServedLog {
 public:
  using Clock = std::function<std::int64_t()>;  // milliseconds since 1970
  /// (ticket, whether all up to it that had no word yet are durable or refused); called by the writing thread.
  using Progressed = std::function<void(std::uint64_t ticket, bool durable)>;

  /// Opens or makes the folder: cuts what a killed server left torn, goes on behind it. OutputError if another process
  /// writes there; CheckError if the last file's end is no such log.
  ServedLog(const ServedLogParams& params, ServedOpening opening, Clock clock);
  ~ServedLog();
  ServedLog(const ServedLog&) = delete;
  ServedLog& operator=(const ServedLog&) = delete;
  /// Before anything is appended.
  void on_progress(Progressed progressed) { progressed_ = std::move(progressed); }

  /// Takes one or several whole lines, as append_line made them; `starts` are their beginnings. Their positions go to
  /// `positions`. Returns the ticket that stands for them, or 0 where the log refuses.
  std::uint64_t append(std::string lines, const std::vector<std::size_t>& starts, std::vector<LogPosition>& positions);

  /// The line at a position that was handed out, without its end; "" if there is none.
  std::string line_at(const LogPosition& position) const;

  /// Runs until `stop`, and writes what is left then.
  void write_until_stopped();
  void stop();

  /// Whether the last write went well.
  bool works() const;
  std::uint64_t bytes_written() const;
  std::uint64_t lines_written() const;
  const std::string& folder() const { return folder_; }

 private:
  /// Lines for one file, one behind the other.
  struct Segment {
    std::uint64_t file;
    std::string bytes;
    std::int64_t lines;
  };
  void recover();
  void lock_folder();
  void start_file_locked(std::uint64_t file);
  void add_opening_locked();
  void count_locked(const std::deque<Segment>& group, std::int64_t next_number);
  bool write_group(const std::deque<Segment>& group);
  bool use_file(std::uint64_t number);
  bool sync();
  void take_back(std::uint64_t ticket);
  void close_file();

  std::string folder_;
  bool syncs_;
  std::uint64_t rotate_;
  ServedOpening opening_;
  Clock clock_;
  Progressed progressed_;
  int lock_ = -1;

  mutable std::mutex mutex_;
  std::condition_variable something_;
  // Guarded by the mutex.
  std::deque<Segment> waiting_;
  LogPosition end_;  // where the next line begins
  std::int64_t next_number_ = 1, last_time_ = 0;
  std::int64_t durable_number_ = 1;  // the next number, were nothing waiting
  std::uint64_t tickets_ = 0;
  bool stopping_ = false, works_ = true;
  std::uint64_t bytes_ = 0, lines_ = 0;

  // Of the writing thread alone.
  int descriptor_ = -1;
  std::uint64_t open_ = 0;  // the file that it is
  LogPosition durable_;     // the end of what is acknowledged
};

}  // namespace equipoise
