// Lines of the access log; what cannot be written is lost, since no request may wait for it.
#include "serve/access_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr std::size_t kWriteAtOnce = 1 << 16;

}  // namespace

AccessLog::AccessLog(const std::string& path) {
  if (path.empty()) return;
  descriptor_ = path == "-" ? ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
                            : ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw OutputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

AccessLog::~AccessLog() {
  flush();
  if (descriptor_ >= 0) ::close(descriptor_);
}

void AccessLog::add(const std::string& line) {
  const std::lock_guard lock(mutex_);
  waiting_ += line;
  if (waiting_.size() >= kWriteAtOnce) flush_locked();
}

void AccessLog::flush() {
  const std::lock_guard lock(mutex_);
  flush_locked();
}

void AccessLog::flush_locked() {
  for (std::string_view left = waiting_; !left.empty();) {
    const ssize_t wrote = ::write(descriptor_, left.data(), left.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(wrote));
  }
  waiting_.clear();
}

}  // namespace equipoise
