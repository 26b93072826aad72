// Appends to the served log: places and numbers under a lock, bytes and syncs by one thread.
#include "serve/log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "data/served/files.h"

namespace equipoise {

namespace {

constexpr std::chrono::milliseconds kTryAgain{250};
constexpr std::size_t kLongestLine = std::size_t{64} << 20;

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

bool sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  if (descriptor >= 0) ::close(descriptor);
  return synced;
}

}  // namespace

void ServedLogParams::describe(Params& p) {
  p("log", log, "folder of the served log, made if it is not there; without one nothing is logged");
  p("sync", sync,
    "when a line counts as safe and its answer leaves: always (on the disk), written (with the system: survives the "
    "end of the server, not of the machine)",
    one_of({"always", "written"}));
  p("rotate_mb", rotate_mb, "the log begins a new file after so many megabytes", between(1, 1 << 20));
}

ServedLog::ServedLog(const ServedLogParams& params, ServedOpening opening, Clock clock)
    : folder_(params.log),
      syncs_(params.sync == "always"),
      rotate_(static_cast<std::uint64_t>(params.rotate_mb) << 20),
      opening_(std::move(opening)),
      clock_(std::move(clock)) {
  make_folder(folder_);
  lock_folder();
  recover();
  durable_ = end_;
  const std::lock_guard lock(mutex_);
  add_opening_locked();
}

ServedLog::~ServedLog() {
  close_file();
  if (lock_ >= 0) ::close(lock_);
}

// Two servers that append to one file would tear each other's lines.
void ServedLog::lock_folder() {
  const std::string path = join_path(folder_, "served.lock");
  lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) throw OutputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(lock_);
  throw OutputError(fmt::format("{}: another server writes this log", folder_));
}

// Goes on behind the last whole line; what is behind it was never acknowledged.
void ServedLog::recover() {
  const std::vector<ServedFile> files = served_files(folder_);
  end_ = {files.empty() ? 1 : files.back().number, 0};
  bool found = false;
  for (std::size_t f = files.size(); f-- > 0 && !found;) {
    bool damaged = false;
    std::string last;
    const std::uint64_t whole = each_served_line(files[f].path, [&](std::string_view line, std::int64_t number) {
      if (is_whole_line(line)) {
        last = line;
        return;
      }
      if (!damaged) warn(fmt::format("{}:{}: this line is not as it was written", files[f].path, number));
      damaged = true;
    });
    if (!last.empty()) {
      const ServedLine line = parse_line(last, files[f].path, 0);
      next_number_ = line.number + 1;
      last_time_ = line.time;
      found = true;
    }
    if (f + 1 < files.size()) continue;
    if (::truncate(files[f].path.c_str(), static_cast<off_t>(whole)) != 0) {
      throw OutputError(fmt::format("{}: cannot be cut: {}", files[f].path, std::strerror(errno)));
    }
    end_ = damaged ? LogPosition{files[f].number + 1, 0} : LogPosition{files[f].number, whole};
  }
  durable_number_ = next_number_;
}

void ServedLog::add_opening_locked() {
  std::string line;
  append_line(line, opening_);
  last_time_ = std::max(last_time_, clock_());
  seal_line(line.data(), line.size(), next_number_++, last_time_);
  end_.offset += line.size();
  waiting_.push_back({end_.file, std::move(line), 1});
}

void ServedLog::start_file_locked(std::uint64_t file) {
  end_ = {file, 0};
  add_opening_locked();
}

std::uint64_t ServedLog::append(std::string lines, const std::vector<std::size_t>& starts,
                                std::vector<LogPosition>& positions) {
  positions.clear();
  std::uint64_t ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!works_ || stopping_) return 0;
    last_time_ = std::max(last_time_, clock_());  // a clock that is set back stands still here
    for (std::size_t n = 0; n < starts.size(); ++n) {
      const std::size_t size = (n + 1 < starts.size() ? starts[n + 1] : lines.size()) - starts[n];
      if (end_.offset + size > rotate_ && end_.offset > 0) start_file_locked(end_.file + 1);
      if (waiting_.empty() || waiting_.back().file != end_.file) waiting_.push_back({end_.file, {}, 0});
      seal_line(lines.data() + starts[n], size, next_number_, last_time_);
      waiting_.back().bytes.append(lines, starts[n], size);
      ++waiting_.back().lines;
      positions.push_back({end_.file, end_.offset, next_number_++});
      end_.offset += size;
    }
    ticket = ++tickets_;
  }
  something_.notify_one();
  return ticket;
}

std::string ServedLog::line_at(const LogPosition& position) const {
  const PlainFile file(served_path(folder_, position.file));
  std::string out;
  if (!file.opened() || position.offset >= file.size()) return out;
  const std::uint64_t most = std::min<std::uint64_t>(file.size() - position.offset, kLongestLine);
  for (std::uint64_t size = 4096;; size *= 4) {
    out.resize(std::min(size, most));
    if (!file.read(out.data(), out.size(), position.offset)) return "";
    const std::size_t end = out.find('\n');
    if (end != std::string::npos) {
      out.resize(end);
      return is_whole_line(out) ? out : "";
    }
    if (size >= most) return "";
  }
}

void ServedLog::write_until_stopped() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (works_)
      something_.wait(lock, [&] { return !waiting_.empty() || stopping_; });
    else
      something_.wait_for(lock, kTryAgain, [&] { return stopping_; });
    if (stopping_ && (waiting_.empty() || !works_)) return;
    if (!works_) start_file_locked(durable_.file + 1);  // a new file with its first line shows whether writing works
    const std::deque<Segment> group = std::exchange(waiting_, {});
    const std::uint64_t ticket = tickets_;
    const std::int64_t next_number = next_number_;
    lock.unlock();
    const bool written = write_group(group);
    const int why = errno;
    if (written && progressed_ && ticket > 0) progressed_(ticket, true);
    lock.lock();
    if (written) {
      count_locked(group, next_number);
      continue;
    }
    const bool news = std::exchange(works_, false);
    waiting_.clear();
    next_number_ = durable_number_;
    const std::uint64_t refused = tickets_;
    lock.unlock();
    if (news) {
      warn(fmt::format("{}: the log cannot be written ({}); requests are refused until it can", folder_,
                       std::strerror(why)));
    }
    take_back(refused);
    lock.lock();
  }
}

void ServedLog::count_locked(const std::deque<Segment>& group, std::int64_t next_number) {
  durable_number_ = next_number;
  if (!std::exchange(works_, true)) warn(fmt::format("{}: the log is written again", folder_));
  for (const Segment& segment : group) {
    bytes_ += segment.bytes.size();
    lines_ += static_cast<std::uint64_t>(segment.lines);
  }
}

bool ServedLog::write_group(const std::deque<Segment>& group) {
  for (const Segment& segment : group) {
    if (!use_file(segment.file) || !write_all(descriptor_, segment.bytes)) return false;
  }
  if (!sync()) return false;
  durable_ = {open_, static_cast<std::uint64_t>(::lseek(descriptor_, 0, SEEK_CUR))};
  return true;
}

// The file before is on the disk before the next one begins.
bool ServedLog::use_file(std::uint64_t number) {
  if (descriptor_ >= 0 && number == open_) return true;
  if (descriptor_ >= 0 && !sync()) return false;
  close_file();
  open_ = number;
  descriptor_ = ::open(served_path(folder_, number).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  return descriptor_ >= 0 && ::lseek(descriptor_, 0, SEEK_END) >= 0 && (!syncs_ || sync_folder(folder_));
}

bool ServedLog::sync() { return !syncs_ || ::fdatasync(descriptor_) == 0; }

// Nobody was shown what these lines say: they go out of the files again.
void ServedLog::take_back(std::uint64_t ticket) {
  close_file();
  for (std::uint64_t later = open_; later > durable_.file; --later) ::unlink(served_path(folder_, later).c_str());
  const std::string path = served_path(folder_, durable_.file);
  if (::truncate(path.c_str(), static_cast<off_t>(durable_.offset)) != 0 && errno != ENOENT) {
    warn(fmt::format("{}: cannot be cut: {}", path, std::strerror(errno)));
  }
  if (progressed_ && ticket > 0) progressed_(ticket, false);
}

void ServedLog::close_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void ServedLog::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  something_.notify_all();
}

bool ServedLog::works() const {
  const std::lock_guard lock(mutex_);
  return works_;
}

std::uint64_t ServedLog::bytes_written() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::uint64_t ServedLog::lines_written() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

}  // namespace equipoise
