// Files of an input in memory: memfd for one, a folder below TMPDIR for several.
#include "fuzz/scratch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

#include "core/file.h"
#include "fuzz/targets.h"

namespace equipoise::fuzz {

namespace {

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
    if (wrote <= 0) throw std::runtime_error("a scratch file cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

}  // namespace

MemoryFile::MemoryFile() : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::runtime_error("no file in memory");
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

const std::string& MemoryFile::put(std::string_view bytes) {
  if (::ftruncate(descriptor_, 0) != 0 || ::lseek(descriptor_, 0, SEEK_SET) != 0)
    throw std::runtime_error("a file in memory cannot be emptied");
  write_all(descriptor_, bytes);
  return path_;
}

Scratch::Scratch() {
  path_ = (std::filesystem::temp_directory_path() / "equipoise-fuzz-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void Scratch::put_parts(const std::vector<std::string>& names, std::string_view input) {
  for (const std::string& name : names) {
    const std::size_t end = input.find(kFileEnd);
    const std::string_view part = input.substr(0, end);
    input = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
    const std::string path = join_path(path_, name);
    if (part.empty()) {
      ::unlink(path.c_str());
      continue;
    }
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) throw std::runtime_error("a scratch file cannot be opened");
    write_all(descriptor, part);
    ::close(descriptor);
  }
}

}  // namespace equipoise::fuzz
