// Lists that people write in one text, and files of ids that they hand over: read alike everywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/text/csv.h"

namespace equipoise {

/// The parts between separators, as written. A separator inside double quotes separates nothing. UsageError, beginning
/// with `what`, if a quote stays open.
std::vector<std::string> quoted_parts(std::string_view text, char separator, const char* what);
/// Without spaces around it, and without its quotes where it is in double quotes ("" inside is one quote).
std::string unquoted(std::string_view part);
/// The parts, unquoted, without empty ones: jazz,"rock, pop" is two words.
std::vector<std::string> words_of(std::string_view text, const char* what, char separator = ',');

/// A table with a header that is read as logs are: any separator, names in any case, packed or not.
CsvReader open_table(const std::string& path);
/// The column of that name; DataError if there is none.
std::size_t column_of(const CsvReader& csv, const char* name);

}  // namespace equipoise
