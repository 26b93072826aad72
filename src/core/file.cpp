// Whole files in and out; a file is replaced in one step or not at all.
#include "core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.h"
#include "core/temporary.h"

namespace equipoise {

namespace {

constexpr std::size_t kBuffer = 1 << 20;

// Closes on every way out.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

InputFile::InputFile(const std::string& path)
    : name_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), owned_(true) {
  if (descriptor_ < 0) fail(errno == ENOENT ? "no such file" : fmt::format("cannot open: {}", std::strerror(errno)));
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(descriptor_);
    fail("is a folder, expected a file");
  }
  if (status.st_size > 0) size_ = static_cast<std::size_t>(status.st_size);
}

InputFile::InputFile(int descriptor, std::string name)
    : name_(std::move(name)), descriptor_(descriptor), owned_(false) {}

InputFile::~InputFile() {
  if (owned_) ::close(descriptor_);
}

void InputFile::fail(const std::string& what) const { throw DataError(Place{name_}, what); }

std::size_t InputFile::read(char* out, std::size_t size) {
  while (true) {
    const ssize_t got = ::read(descriptor_, out, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(fmt::format("cannot read: {}", std::strerror(errno)));
  }
}

PlainFile::PlainFile(const std::string& path) : descriptor_(-1) {
  struct stat status {};
  // A pipe is not even opened: closing it again would end the process that writes to it.
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor_ >= 0 && ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
  } else if (descriptor_ >= 0) {
    ::close(descriptor_);
    descriptor_ = -1;
  }
}

PlainFile::~PlainFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool PlainFile::read(char* out, std::size_t bytes, std::uint64_t at) const {
  while (bytes > 0) {
    const ssize_t count = ::pread(descriptor_, out, bytes, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    out += count, at += static_cast<std::uint64_t>(count), bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

std::string read_file(const std::string& path) {
  InputFile file(path);
  std::string bytes(file.size(), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const std::size_t got = file.read(bytes.data() + have, bytes.size() - have);
    if (got == 0) bytes.resize(have);
    have += got;
  }
  char more[4096];  // a pipe, or a file that grew
  while (const std::size_t got = file.read(more, sizeof more)) bytes.append(more, got);
  return bytes;
}

namespace {

// The file that a link leads to, so that the link stays one. Links of the system (/dev/stdout) lead to what is open.
std::string without_links(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  const std::string folder = fs::weakly_canonical(fs::absolute(path).parent_path(), error) / "";
  const std::string target = fs::read_symlink(path, error);
  for (const char* system : {"/dev/", "/proc/"}) {
    if (!folder.starts_with(system) && !target.starts_with(system)) continue;
    throw OutputError(fmt::format("{}: is a device or a pipe, expected a file name to write", path));
  }
  const fs::path real = fs::canonical(path, error);
  if (error) throw OutputError(fmt::format("{}: is a link to nothing, expected a file name to write", path));
  return real.string();
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) throw OutputError("the name of a file to write is empty");
  path_ = without_links(path_);
  if (is_folder(path_)) throw OutputError(fmt::format("{}: is a folder, expected a file name to write", path_));
  // Renaming onto a device or a pipe would put a plain file in its place, /dev/null included.
  if (file_exists(path_) && !std::filesystem::is_regular_file(path_)) {
    throw OutputError(fmt::format("{}: is a device or a pipe, expected a file name to write", path_));
  }
  buffer_.reserve(kBuffer);  // first: where memory is short nothing is left behind
  Temporary made = make_temporary(path_);
  if (made.descriptor < 0) fail("cannot be written");
  temporary_ = std::move(made.path);
  descriptor_ = made.descriptor;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const {
  throw OutputError(fmt::format("{}: {} ({})", path_, what, std::strerror(errno)));
}

void AtomicFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t wrote = ::write(descriptor_, rest.data(), rest.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail("cannot be written");
    rest.remove_prefix(static_cast<std::size_t>(wrote));
  }
  buffer_.clear();
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t part = std::min(bytes.size(), kBuffer - buffer_.size());
    buffer_.append(bytes.substr(0, part));
    bytes.remove_prefix(part);
    if (buffer_.size() == kBuffer) flush();
  }
}

void AtomicFile::commit() {
  flush();
  if (::fsync(descriptor_) != 0) fail("cannot be written");
  const int closing = descriptor_;
  descriptor_ = -1;
  if (::close(closing) != 0) fail("cannot be written");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be put in place");
  temporary_.clear();
  const Descriptor folder{::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.number >= 0 && ::fsync(folder.number) != 0 && errno != EINVAL) fail("its folder cannot be synced");
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void remove_file(const std::string& path) {
  sweep_temporaries(path);
  ::unlink(path.c_str());
}

void make_folder(const std::string& path) {
  if (path.empty()) throw OutputError("the name of a folder to write is empty");
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !is_folder(path)) {
    throw OutputError(
        fmt::format("{}: the folder cannot be made ({})", path, error ? error.message() : "a file has its name"));
  }
}

bool file_exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string join_path(const std::string& folder, std::string_view name) {
  return fmt::format("{}{}{}", folder, folder.empty() || folder.ends_with('/') ? "" : "/", name);
}

}  // namespace equipoise
