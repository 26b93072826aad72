// core/file.h and core/whole_folder.h once more, for files that are kept in memory.
#include "fuzz/memory_files.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/file.h"
#include "core/whole_folder.h"
#include "fuzz/targets.h"

namespace equipoise {

namespace {

std::map<std::string, std::string>& files() {
  static std::map<std::string, std::string> all;
  return all;
}

// What is still to be read of every file that was opened; an InputFile's descriptor is its place here.
std::vector<std::string_view>& being_read() {
  static std::vector<std::string_view> all;
  return all;
}

}  // namespace

InputFile::InputFile(const std::string& path) : name_(path), descriptor_(-1), owned_(true) {
  const auto found = files().find(path);
  if (found == files().end()) fail(is_folder(path) ? "is a folder, expected a file" : "no such file");
  size_ = found->second.size();
  descriptor_ = static_cast<int>(being_read().size());
  being_read().push_back(found->second);
}

InputFile::InputFile(int, std::string name) : name_(std::move(name)), descriptor_(-1), owned_(false) {
  fail("is not in memory");
}

InputFile::~InputFile() {
  if (descriptor_ + 1 == static_cast<int>(being_read().size())) being_read().pop_back();
}

void InputFile::fail(const std::string& what) const { throw DataError(Place{name_}, what); }

std::size_t InputFile::read(char* out, std::size_t size) {
  std::string_view& rest = being_read()[static_cast<std::size_t>(descriptor_)];
  const std::size_t count = rest.copy(out, size);
  rest.remove_prefix(count);
  return count;
}

PlainFile::PlainFile(const std::string& path) : descriptor_(-1) {
  const auto found = files().find(path);
  if (found == files().end()) return;
  size_ = found->second.size();
  descriptor_ = static_cast<int>(being_read().size());
  being_read().push_back(found->second);
}

PlainFile::~PlainFile() {
  if (descriptor_ >= 0 && descriptor_ + 1 == static_cast<int>(being_read().size())) being_read().pop_back();
}

bool PlainFile::read(char* out, std::size_t bytes, std::uint64_t at) const {
  const std::string_view all = being_read()[static_cast<std::size_t>(descriptor_)];
  return at <= all.size() && all.copy(out, bytes, at) == bytes;
}

std::string read_file(const std::string& path) {
  const InputFile must_be_there(path);
  return files().at(path);
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {}
AtomicFile::~AtomicFile() = default;
void AtomicFile::write(std::string_view bytes) { buffer_ += bytes; }
void AtomicFile::commit() { files()[path_] = std::move(buffer_); }

void write_file(const std::string& path, std::string_view bytes) { files()[path] = bytes; }
void remove_file(const std::string& path) { files().erase(path); }
void make_folder(const std::string&) {}
bool file_exists(const std::string& path) { return files().contains(path) || is_folder(path); }

bool is_folder(const std::string& path) {
  const auto below = files().lower_bound(path + '/');
  return below != files().end() && below->first.starts_with(path + '/');
}

std::string join_path(const std::string& folder, std::string_view name) {
  std::string path = folder;
  if (!path.empty() && !path.ends_with('/')) path += '/';
  return path.append(name);
}

WholeFolder::WholeFolder(const std::string& target, std::string first)
    : name_(target), target_(target), first_(std::move(first)) {
  temporary_.path = target;
}
WholeFolder::~WholeFolder() = default;
void WholeFolder::commit(const std::vector<std::string>&) {}
void sweep_whole_folder(const std::string&) {}

namespace fuzz {

std::string memory_path(std::string_view name) { return join_path("/memory-of-fuzzing", name); }

void put_parts(const std::string& folder, const std::vector<std::string>& names, std::string_view input) {
  files().clear();
  being_read().clear();
  for (const std::string& name : names) {
    const std::size_t end = std::min(input.find(kFileEnd), input.size());
    if (end > 0) write_file(join_path(folder, name), input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
}

void clear_folder(const std::string& folder) {
  std::erase_if(files(), [&](const auto& file) { return file.first.starts_with(folder + '/'); });
}

}  // namespace fuzz
}  // namespace equipoise
