// The files of a log that lies in parts: those of a folder, of a pattern, or as given.
#pragma once

#include <string>
#include <vector>

namespace equipoise {

/// A file, or - for stdin, stands for itself. A folder stands for its files by name, without hidden ones and those that
/// begin with _, as other programs mark what is no part. A path with * or ? that is no file stands for those it
/// matches. Empty files have no rows and are left out. DataError if a folder or pattern has none.
std::vector<std::string> log_files(const std::vector<std::string>& paths);

/// Whether the path is a folder with parts of a log: it has files, and is not (and does not look like) a data set's.
bool has_log_parts(const std::string& path);

/// What a log of those paths is called: after the folder where it has several files, else after the file.
std::string name_of_log(const std::vector<std::string>& paths);

}  // namespace equipoise
