// The files of a served log: a folder of served-000001.log, served-000002.log …, read line by line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

struct ServedFile {
  std::string path;
  std::uint64_t number = 0;  // in its name
};
/// "folder/served-000012.log".
std::string served_path(const std::string& folder, std::uint64_t number);
/// Those of the folder, ascending by number; empty if there is no such folder.
std::vector<ServedFile> served_files(const std::string& folder);
/// The newest of them that together have at most so many bytes; the last one in any case.
std::vector<ServedFile> newest_served_files(const std::string& folder, std::uint64_t most_bytes);

/// Calls take(line without its end, line number from 1) for each line that is ended. Returns how many bytes those lines
/// have; what is behind them was torn off while it was written.
std::uint64_t each_served_line(const std::string& path,
                               const std::function<void(std::string_view, std::int64_t)>& take);

}  // namespace equipoise
