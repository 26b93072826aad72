// The list of a data set's files in dataset.toml: which bytes each had when the folder was written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/stream_hash.h"

namespace equipoise {

inline constexpr const char* kFiles = "files";  // the table's name in dataset.toml

/// Tells a folder whose files belong together from a mixture of two. Nothing is asked of a folder without such a list.
class FileList {
 public:
  /// DataError if [files] is not a table of texts.
  FileList(const Json& toml, const std::string& toml_file);

  /// What gets the bytes of the file while it is read; none where nothing is listed.
  StreamHash* hash_of(const std::string& file);
  /// DataError if a file that was read is not the one that is listed, or one of `names` that is listed was not read.
  void check(const std::string& folder, const std::vector<std::string>& names) const;

 private:
  std::map<std::string, std::string> listed_;
  std::map<std::string, StreamHash> read_;
  bool there_ = false;
};

/// The names that a folder's dataset.toml lists; none if it has no list or cannot be read.
std::vector<std::string> listed_files(const std::string& toml_file);

/// The line of a file in the list.
std::string file_hash(const StreamHash& hash);
std::string file_hash(const std::string& path);

}  // namespace equipoise
