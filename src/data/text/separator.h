// Which character parts the fields of a table: as it was told, by the file's name, or as the first line shows.
#pragma once

#include <string>
#include <string_view>

namespace equipoise {

/// The separator that the parameter `separator` means for a file of that name; for auto, the one that the name makes
/// likely: .tsv, .data, .txt (also with .gz, .zst) are tabs. UsageError if it is none.
char log_separator(const std::string& separator, const std::string& path);

/// The separator of a table that begins with these bytes: whichever of comma, tab and semicolon the first line has most
/// of, outside quotes; `likely` where they are equal; a pipe where it has none of them, for pipes part tags too.
char find_separator(std::string_view bytes, char likely, bool quotes);

}  // namespace equipoise
