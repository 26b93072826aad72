// Temporary files: a lock tells those of living writers from those of dead ones, on whatever machine they ran.
#include "core/temporary.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>

namespace equipoise {

namespace {

std::atomic<unsigned> temporary_number{0};

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "NAME.tmp-1234-5": nothing else is ever removed.
bool is_temporary_of(std::string_view file, std::string_view name) {
  constexpr std::string_view kMark = ".tmp-";
  if (!file.starts_with(name) || !file.substr(name.size()).starts_with(kMark)) return false;
  const std::string_view numbers = file.substr(name.size() + kMark.size());
  const std::size_t dash = numbers.find('-');
  return dash != std::string_view::npos && all_digits(numbers.substr(0, dash)) && all_digits(numbers.substr(dash + 1));
}

// The lock of a killed process is gone with it. Where files cannot be locked nothing is known, so nothing is removed.
void remove_if_abandoned(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat status {};
  const bool plain = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (plain && ::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(file);
}

// Between making and locking a file another process may have swept it away.
bool lock_new(int descriptor) {
  while (::flock(descriptor, LOCK_EX) != 0) {
    if (errno != EINTR) return true;  // no locks on this file system: nobody sweeps here either
  }
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

}  // namespace

Temporary make_temporary(const std::string& path) {
  sweep_temporaries(path);
  while (true) {
    Temporary out{fmt::format("{}.tmp-{}-{}", path, ::getpid(), temporary_number++), -1};
    out.descriptor = ::open(out.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out.descriptor < 0 && errno == EEXIST) continue;  // another machine's process of the same number
    if (out.descriptor < 0 || lock_new(out.descriptor)) return out;
    ::close(out.descriptor);
  }
}

void sweep_temporaries(const std::string& path) {
  const std::filesystem::path target(path);
  const std::string name = target.filename().string();
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  std::error_code error;
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    const std::string found = file->path().filename().string();
    if (is_temporary_of(found, name)) remove_if_abandoned(file->path().string());
  }
}

}  // namespace equipoise
