// Whole files in and out: reading with clear errors, writing so that a reader sees the old file or the new, never half.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace equipoise {

/// A file read in order. DataError if it is missing, a folder, or cannot be read.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  /// One that is open already and stays so, such as stdin.
  InputFile(int descriptor, std::string name);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Up to `size` bytes (size ≥ 1) go to `out`; 0 means the end.
  std::size_t read(char* out, std::size_t size);
  /// In bytes, as far as the file says so: 0 for a pipe.
  std::size_t size() const { return size_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string name_;
  int descriptor_;
  bool owned_;
  std::size_t size_ = 0;
};

/// A plain file read at any place, by several threads at once; not opened if it is not there or is anything else.
class PlainFile {
 public:
  explicit PlainFile(const std::string& path);
  ~PlainFile();
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  bool opened() const { return descriptor_ >= 0; }
  std::uint64_t size() const { return size_; }
  /// Whether all those bytes were there and have been read.
  bool read(char* out, std::size_t bytes, std::uint64_t at) const;

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// The whole file, as by InputFile.
std::string read_file(const std::string& path);

/// A file under way: bytes go to a temporary name in the same folder; `commit` makes them the file
/// (flush, fsync, rename, fsync of the folder). Without `commit` nothing is left behind; what a killed process left is
/// removed by the next one that writes the same file.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void flush();
  void fail(const char* what) const;

  std::string path_;
  std::string temporary_;
  std::string buffer_;
  int descriptor_ = -1;
};

void write_file(const std::string& path, std::string_view bytes);
/// Removes the file, if it is there, and what killed processes that wrote it left beside it.
void remove_file(const std::string& path);

/// Makes the folder (and its parents) if it is not there; OutputError if that cannot be.
void make_folder(const std::string& path);
bool file_exists(const std::string& path);
bool is_folder(const std::string& path);
/// "folder/name"; an empty folder is the current one.
std::string join_path(const std::string& folder, std::string_view name);

}  // namespace equipoise
