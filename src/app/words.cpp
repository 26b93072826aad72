// Lists in one text and files of ids: the quotes, and the columns by their names.
#include "app/words.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/text/log_columns.h"
#include "data/text/log_params.h"

namespace equipoise {

std::vector<std::string> quoted_parts(std::string_view text, char separator, const char* what) {
  std::vector<std::string> out(1);
  bool open = false;
  for (const char letter : text) {
    if (letter == '"') open = !open;
    if (letter == separator && !open) {
      out.emplace_back();
    } else {
      out.back() += letter;
    }
  }
  if (open) throw UsageError(fmt::format("{}: a quote is not closed in {}", what, in_quotes(text)));
  return out;
}

std::string unquoted(std::string_view part) {
  const std::string_view plain = trim(part);
  if (plain.size() < 2 || plain.front() != '"' || plain.back() != '"') return std::string(plain);
  std::string out;
  for (std::size_t k = 1; k + 1 < plain.size(); ++k) {
    if (plain[k] == '"' && k + 2 < plain.size() && plain[k + 1] == '"') ++k;
    out += plain[k];
  }
  return out;
}

std::vector<std::string> words_of(std::string_view text, const char* what, char separator) {
  std::vector<std::string> out;
  for (const std::string& part : quoted_parts(text, separator, what)) {
    if (!trim(part).empty()) out.push_back(unquoted(part));
  }
  return out;
}

CsvReader open_table(const std::string& path) { return CsvReader(path, table_format(LogParams{}, path)); }

std::size_t column_of(const CsvReader& csv, const char* name) {
  const std::size_t found = find_loosely(csv, name, name);
  return found == CsvReader::npos ? csv.column(name) : found;  // which says what is there
}

}  // namespace equipoise
