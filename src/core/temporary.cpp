// Temporary files and folders: a lock tells those of living writers from those of dead ones, on whatever machine.
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
#include <string_view>
#include <vector>

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
void remove_file_if_abandoned(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat status {};
  const bool plain = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (plain && ::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(file);
}

void remove_folder_if_abandoned(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  std::error_code ignored;
  if (::flock(folder, LOCK_EX | LOCK_NB) == 0) std::filesystem::remove_all(path, ignored);
  ::close(folder);
}

// Calls remove for everything that has the name of a temporary of `path`.
void sweep(const std::string& path, void (*remove)(const std::string&)) {
  const std::filesystem::path target(path);
  const std::string name = target.filename().string();
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  std::vector<std::string> found;  // first all: what is removed while it is gone through may hide others
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (is_temporary_of(entry->path().filename().string(), name)) found.push_back(entry->path().string());
  }
  for (const std::string& one : found) remove(one);
}

// Between making and locking a file another process may have swept it away.
bool lock_new(int descriptor) {
  while (::flock(descriptor, LOCK_EX) != 0) {
    if (errno != EINTR) return true;  // no locks on this file system: nobody sweeps here either
  }
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

int new_file(const std::string& path) { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

int new_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) != 0) return -1;
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    const int why = errno;
    ::rmdir(path.c_str());
    errno = why;
  }
  return folder;
}

Temporary make(const std::string& path, int (*make_new)(const std::string&)) {
  while (true) {
    Temporary out{fmt::format("{}.tmp-{}-{}", path, ::getpid(), temporary_number++), -1};
    out.descriptor = make_new(out.path);
    if (out.descriptor < 0 && errno == EEXIST) continue;  // another machine's process of the same number
    if (out.descriptor < 0 || lock_new(out.descriptor)) return out;
    ::close(out.descriptor);
  }
}

}  // namespace

Temporary make_temporary(const std::string& path) {
  sweep_temporaries(path);
  return make(path, new_file);
}

void sweep_temporaries(const std::string& path) { sweep(path, remove_file_if_abandoned); }

Temporary make_temporary_folder(const std::string& path) {
  sweep_temporary_folders(path);
  return make(path, new_folder);
}

void sweep_temporary_folders(const std::string& path) { sweep(path, remove_folder_if_abandoned); }

}  // namespace equipoise
