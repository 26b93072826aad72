// Finding the files of a log.
#include "data/text/log_files.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "data/dataset.h"
#include "data/dataset_folder.h"

namespace equipoise {
namespace {

namespace fs = std::filesystem;

bool has_bytes(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) > 0 && !error;
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (!name.starts_with('.') && !name.starts_with('_') && has_bytes(file->path().string())) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  for (std::string& name : out) name = join_path(folder, name);
  return out;
}

// A folder with a file of another kind, such as a model, is no log in parts.
bool named_as_rows(const std::string& path) {
  constexpr std::array<std::string_view, 8> kEndings = {"", ".csv", ".tsv", ".txt", ".dat", ".data", ".gz", ".zst"};
  return std::find(kEndings.begin(), kEndings.end(), fs::path(path).extension().string()) != kEndings.end();
}

bool is_pattern(const std::string& path) {
  return path.find_first_of("*?") != std::string::npos && !file_exists(path) && !is_folder(path);
}

std::vector<std::string> matches_of(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> out;
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0) {
    for (std::size_t k = 0; k < found.gl_pathc; ++k) {
      if (has_bytes(found.gl_pathv[k])) out.emplace_back(found.gl_pathv[k]);
    }
  }
  ::globfree(&found);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<std::string> log_files(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    const bool pattern = is_pattern(path), folder = is_folder(path);
    if (!pattern && !folder) {
      out.push_back(path);
      continue;
    }
    const std::vector<std::string> found = pattern ? matches_of(path) : files_in(path);
    if (found.empty()) {
      throw DataError(Place{path}, pattern ? "no file matches this pattern" : "no files with rows in this folder");
    }
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

bool has_log_parts(const std::string& path) {
  if (is_pattern(path)) return true;
  if (!is_folder(path)) return false;
  std::vector<std::string> own = own_files();
  own.emplace_back(kDatasetToml);
  const std::vector<std::string> files = files_in(path);
  return !files.empty() && std::all_of(files.begin(), files.end(), named_as_rows) &&
         std::none_of(own.begin(), own.end(),
                      [&](const std::string& name) { return file_exists(join_path(path, name)); });
}

std::string name_of_log(const std::vector<std::string>& paths) {
  if (paths.size() == 1 && !is_pattern(paths[0])) return name_of_data(paths[0]);
  const std::string folder = fs::path(paths[0]).parent_path().string();
  return name_of_data(folder.empty() ? "." : folder);
}

}  // namespace equipoise
