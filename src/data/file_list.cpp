// The list of a data set's files: hashes of their bytes, taken while they are read or written.
#include "data/file_list.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "core/fuzzing.h"
#include "core/hash.h"
#include "core/quote.h"

namespace equipoise {

FileList::FileList(const Json& toml, const std::string& toml_file) {
  const Json* files = toml.find(kFiles);
  if (files == nullptr) return;
  if (!files->is_object()) throw DataError(Place{toml_file}, "[files] is not a table");
  there_ = true;
  for (const auto& [name, hash] : files->as_object()) {
    if (!hash.is_string())
      throw DataError(Place{toml_file}, fmt::format("{} in [files] is not a text", in_quotes(name)));
    listed_[name] = hash.as_string();
  }
}

StreamHash* FileList::hash_of(const std::string& file) { return there_ ? &read_[file] : nullptr; }

void FileList::check(const std::string& folder, const std::vector<std::string>& names) const {
  if (!there_ || kFuzzing) return;  // no fuzzer finds a hash
  for (const std::string& name : names) {
    const auto listed = listed_.find(name);
    const auto read = read_.find(name);
    if (listed == listed_.end() && read == read_.end()) continue;
    if (listed != listed_.end() && read != read_.end() && listed->second == file_hash(read->second)) continue;
    const char* what = read == read_.end() ? "is missing, and dataset.toml was written with it"
                       : listed == listed_.end()
                           ? "is a file that dataset.toml was written without"
                           : "is another file than the one that dataset.toml was written with (a write is under way or "
                             "was cut short, or somebody edited it): import again";
    throw DataError(Place{join_path(folder, name)},
                    fmt::format("{}; to take the files as they are, remove [files] from dataset.toml", what));
  }
}

std::vector<std::string> listed_files(const std::string& toml_file) {
  std::vector<std::string> names;
  try {
    const Json toml = parse_toml(read_file(toml_file), toml_file);
    const Json* files = toml.find(kFiles);
    if (files == nullptr || !files->is_object()) return names;
    for (const auto& [name, hash] : files->as_object()) {
      if (name.find('/') == std::string::npos) names.push_back(name);
    }
  } catch (const Error&) {  // no list, then
  }
  return names;
}

std::string file_hash(const StreamHash& hash) { return hex(hash.value()); }

std::string file_hash(const std::string& path) {
  InputFile file(path);
  StreamHash hash;
  std::string block(std::size_t{1} << 18, '\0');
  while (const std::size_t count = file.read(block.data(), block.size())) {
    hash.add(std::string_view(block).substr(0, count));
  }
  return file_hash(hash);
}

}  // namespace equipoise
