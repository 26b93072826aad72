// Files of an input for readers that take paths: kept in memory, written without ceremony.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace equipoise::fuzz {

/// One file without a name on any disk.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// The path by which it can be opened; the content is replaced.
  const std::string& put(std::string_view bytes);

 private:
  int descriptor_;
  std::string path_;
};

/// A folder of a target's own below TMPDIR (tools/fuzz gives one in memory), removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  /// File k of `names` becomes part k of the input; what has no part or an empty one is removed.
  void put_parts(const std::vector<std::string>& names, std::string_view input);

 private:
  std::string path_;
};

}  // namespace equipoise::fuzz
