// Folders in one step: written beside, exchanged, and the old one removed.
#include "core/whole_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "core/error.h"
#include "core/file.h"

namespace equipoise {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWithin = "new";  // what is under way within a folder is named after it

bool is_mount_point(const std::string& folder) {
  struct statx status {};
  return ::statx(AT_FDCWD, folder.c_str(), AT_SYMLINK_NOFOLLOW, 0, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

// Exchanging the current folder would leave the process in a folder that is gone.
bool holds_current_folder(const std::string& folder) {
  std::error_code error;
  const fs::path current = fs::current_path(error);
  if (error) return false;
  const fs::path path(folder);
  return std::mismatch(path.begin(), path.end(), current.begin(), current.end()).first == path.end();
}

// What is mounted within it can neither be taken along nor left behind.
bool holds_mount_point(const std::string& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (is_mount_point(entry->path().string())) return true;
  }
  return false;
}

bool must_stay(const std::string& folder) {
  return is_mount_point(folder) || holds_mount_point(folder) || holds_current_folder(folder) ||
         ::access(fs::path(folder).parent_path().c_str(), W_OK) != 0;
}

void sync_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Linked where that can be, so that nothing is copied and the old one stays as it is.
void put_too(const fs::path& from, const fs::path& to) {
  constexpr auto kAll = fs::copy_options::recursive | fs::copy_options::copy_symlinks;
  std::error_code no_links;
  fs::copy(from, to, kAll | fs::copy_options::create_hard_links, no_links);
  if (no_links) fs::copy(from, to, kAll | fs::copy_options::overwrite_existing);
}

}  // namespace

WholeFolder::WholeFolder(const std::string& target, std::string first) : name_(target), first_(std::move(first)) {
  if (target.empty()) throw OutputError("the name of a folder to write is empty");
  std::error_code error;
  const bool there = is_folder(target);
  if (!there && fs::is_symlink(fs::symlink_status(target, error))) {
    throw OutputError(fmt::format("{}: is a link to nothing", target));
  }
  fs::path real = there ? fs::canonical(target, error) : fs::weakly_canonical(fs::absolute(target), error);
  if (error) throw OutputError(fmt::format("{}: cannot be written ({})", target, error.message()));
  if (!real.has_filename()) real = real.parent_path();  // "new/"
  target_ = real.string();
  if (!there) make_folder(real.parent_path().string());
  within_ = there && must_stay(target_);
  temporary_ = make_temporary_folder(within_ ? join_path(target_, kWithin) : target_);
  if (temporary_.descriptor < 0) fail("cannot be written");
}

WholeFolder::~WholeFolder() {
  std::error_code ignored;
  if (temporary_.descriptor >= 0 && !temporary_.path.empty()) fs::remove_all(temporary_.path, ignored);
  if (temporary_.descriptor >= 0) ::close(temporary_.descriptor);
}

void sweep_whole_folder(const std::string& target) { sweep_temporary_folders(join_path(target, kWithin)); }

void WholeFolder::fail(const char* what) const {
  throw OutputError(fmt::format("{}: {} ({})", name_, what, std::strerror(errno)));
}

void WholeFolder::commit(const std::vector<std::string>& old_files) {
  const bool there = is_folder(target_);
  const std::vector<std::string> written = names_in(temporary_.path);
  if (there && !within_) carry_over(old_files);
  if (::fsync(temporary_.descriptor) != 0 && errno != EINVAL) fail("cannot be written");
  if (!there) {
    if (::rename(temporary_.path.c_str(), target_.c_str()) != 0) fail("cannot be put in place");
    temporary_.path.clear();  // there is nothing left to remove
  } else if (within_ || !exchange()) {
    move_in(written, old_files);
  }
  sync_folder(within_ ? target_ : fs::path(target_).parent_path().string());
}

void WholeFolder::carry_over(const std::vector<std::string>& old_files) const {
  try {
    for (const std::string& name : old_files) sweep_temporaries(join_path(target_, name));
    for (const std::string& name : names_in(target_)) {
      const std::string to = join_path(temporary_.path, name);
      if (!holds(old_files, name) && !file_exists(to)) put_too(join_path(target_, name), to);
    }
    fs::permissions(temporary_.path, fs::status(target_).permissions());
  } catch (const fs::filesystem_error& error) {
    throw OutputError(fmt::format("{}: what else is in it cannot be kept ({})", name_, error.code().message()));
  }
}

// The old folder then has the temporary name, and goes with it. False where this cannot be done here at all.
bool WholeFolder::exchange() const {
  if (::renameat2(AT_FDCWD, temporary_.path.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) return true;
  constexpr int kNotHere[] = {EINVAL, ENOSYS, EOPNOTSUPP, EBUSY, EXDEV, EPERM, EACCES};
  if (std::find(std::begin(kNotHere), std::end(kNotHere), errno) == std::end(kNotHere)) fail("cannot be put in place");
  return false;
}

void WholeFolder::move_in(std::vector<std::string> written, const std::vector<std::string>& old_files) const {
  std::stable_partition(written.begin(), written.end(), [&](const std::string& name) { return name == first_; });
  for (const std::string& name : written) {
    const std::string from = join_path(temporary_.path, name), to = join_path(target_, name);
    if (::rename(from.c_str(), to.c_str()) != 0) fail("cannot be put in place");
  }
  for (const std::string& name : old_files) {
    if (!holds(written, name)) ::unlink(join_path(target_, name).c_str());
  }
  sync_folder(target_);
}

}  // namespace equipoise
