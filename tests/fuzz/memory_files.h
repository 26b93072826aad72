// Files in memory, which stand in for those of core/file.h in the programs of this folder.
// A system call takes longer than reading a small input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace equipoise::fuzz {

/// The name of a file in memory; no disk has its folder.
std::string memory_path(std::string_view name);

/// File k of `names`, below `folder`, becomes part k of the input; every other file in memory is gone, and so are those
/// whose part is missing or empty.
void put_parts(const std::string& folder, const std::vector<std::string>& names, std::string_view input);

/// Removes every file below the folder.
void clear_folder(const std::string& folder);

}  // namespace equipoise::fuzz
