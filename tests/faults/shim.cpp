// A library to preload: counts the system calls by which files of one folder are written, and spoils the n-th.
// EQUIPOISE_FAULT_FOLDER names the folder, EQUIPOISE_FAULT_LOG a file that gets one line per call, and
// EQUIPOISE_FAULT is "N ACTION": kill (before the call), after (done, then killed), torn (half a write, then killed),
// short (half a write, and the program is told so), or the number of an error that the call gives without being done.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int kMostFiles = 1024;
bool watched[kMostFiles];  // descriptors of files and folders that are looked at

struct Fault {
  std::string folder, log, action;
  long number = 0, seen = 0;

  Fault() {
    const auto text = [](const char* name) {
      const char* value = std::getenv(name);
      return std::string(value == nullptr ? "" : value);
    };
    folder = text("EQUIPOISE_FAULT_FOLDER");
    log = text("EQUIPOISE_FAULT_LOG");
    const std::string order = text("EQUIPOISE_FAULT");
    const std::size_t space = order.find(' ');
    if (space == std::string::npos) return;
    number = std::atol(order.c_str());
    action = order.substr(space + 1);
  }
};

Fault& fault() {
  static Fault* const one = new Fault;  // never destroyed: files are closed until the very end
  return *one;
}

void die() { ::kill(::getpid(), SIGKILL); }

bool is_watched(int file) { return file >= 0 && file < kMostFiles && watched[file]; }

// Paths are given as the program was given them: all that lies below the folder.
bool in_folder(const char* path) {
  const std::string& folder = fault().folder;
  return !folder.empty() && std::strncmp(path, folder.c_str(), folder.size()) == 0;
}

void write_log(const char* name) {
  if (fault().log.empty()) return;
  const long file = ::syscall(SYS_openat, AT_FDCWD, fault().log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const std::string line = std::string(name) + "\n";
  static_cast<void>(::syscall(SYS_write, file, line.data(), line.size()));
  ::syscall(SYS_close, file);
}

// Does the call, or what was ordered in its place. `half` is what a torn or short write does.
template <class Call, class Half>
auto spoiled(const char* name, Call call, Half half) -> decltype(call()) {
  write_log(name);
  if (++fault().seen != fault().number) return call();
  const std::string& action = fault().action;
  if (action == "kill") die();
  if (action == "torn") half(), die();
  if (action == "short") return half();
  if (action == "after") call(), die();
  errno = std::atoi(action.c_str());
  return -1;
}

template <class Call>
auto spoiled(const char* name, Call call) {
  return spoiled(name, call, call);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

int open_file(const char* name, const char* path, int flags, mode_t mode) {
  static const auto real = next<int (*)(const char*, int, ...)>("open");
  const bool looked_at = in_folder(path) && ((flags & (O_WRONLY | O_RDWR | O_DIRECTORY)) != 0);
  const auto call = [&] { return real(path, flags, mode); };
  const int file = looked_at ? spoiled(name, call) : call();
  if (file >= 0 && file < kMostFiles) watched[file] = looked_at;
  return file;
}

mode_t mode_of(int flags, va_list list) { return (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file("open", path, flags, mode);
}

ssize_t write(int file, const void* bytes, size_t count) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  if (!is_watched(file)) return real(file, bytes, count);
  return spoiled(
      "write", [&] { return real(file, bytes, count); }, [&] { return real(file, bytes, (count + 1) / 2); });
}

int fsync(int file) {
  static const auto real = next<int (*)(int)>("fsync");
  return is_watched(file) ? spoiled("fsync", [&] { return real(file); }) : real(file);
}

int flock(int file, int operation) {
  static const auto real = next<int (*)(int, int)>("flock");
  return is_watched(file) ? spoiled("flock", [&] { return real(file, operation); }) : real(file, operation);
}

int close(int file) {
  static const auto real = next<int (*)(int)>("close");
  if (!is_watched(file)) return real(file);
  watched[file] = false;
  const int result = spoiled("close", [&] { return real(file); });
  if (result != 0) real(file);  // an error of close leaves the descriptor closed all the same
  return result;
}

int rename(const char* from, const char* to) {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  return in_folder(to) ? spoiled("rename", [&] { return real(from, to); }) : real(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  static const auto real = next<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  const auto call = [&] { return real(from_folder, from, to_folder, to, flags); };
  return in_folder(to) ? spoiled("renameat2", call) : call();
}

int mkdir(const char* path, mode_t mode) {
  static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
  return in_folder(path) ? spoiled("mkdir", [&] { return real(path, mode); }) : real(path, mode);
}

int unlink(const char* path) {
  static const auto real = next<int (*)(const char*)>("unlink");
  return in_folder(path) ? spoiled("unlink", [&] { return real(path); }) : real(path);
}

}  // extern "C"
