// Separators: their names, and the counts of a table's first line.
#include "data/text/separator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/quote.h"
#include "data/text/fields.h"

namespace equipoise {
namespace {

char likely_separator(const std::string& path) {
  std::string_view name = path;
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  const std::size_t dot = name.rfind('.');
  const std::string extension = lower_case(dot == std::string_view::npos ? "" : name.substr(dot));
  return extension == ".tsv" || extension == ".data" || extension == ".txt" ? '\t' : ',';
}

}  // namespace

char log_separator(const std::string& separator, const std::string& path) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kNames{
      {{"comma", ','}, {"tab", '\t'}, {"semicolon", ';'}, {"space", ' '}, {"pipe", '|'}}};
  for (const auto& [name, letter] : kNames) {
    if (separator == name) return letter;
  }
  if (separator == "auto") return likely_separator(path);
  const bool usable = separator.size() == 1 && static_cast<unsigned char>(separator[0]) < 0x80 &&
                      std::string_view("\"\r\n\0", 4).find(separator[0]) == std::string_view::npos;
  if (usable) return separator[0];
  throw UsageError(fmt::format("separator: {} is none of auto, comma, tab, semicolon, space, pipe, or one character",
                               in_quotes(separator)));
}

char find_separator(std::string_view bytes, char likely, bool quotes) {
  constexpr std::string_view kLetters = ",\t;|";
  std::array<std::size_t, kLetters.size()> counts{};
  bool inside = false;
  for (const char letter : bytes) {
    if (quotes && letter == '"') inside = !inside;
    if (inside) continue;
    if (letter == '\n' || letter == '\r') break;
    if (const std::size_t k = kLetters.find(letter); k != std::string_view::npos) ++counts[k];
  }
  char best = likely;
  const std::size_t known = kLetters.find(likely);
  std::size_t most = known == std::string_view::npos ? 0 : counts[known];
  for (std::size_t k = 0; k < kLetters.size(); ++k) {
    const bool wins = kLetters[k] == '|' ? most == 0 && counts[k] > 0 : counts[k] > most;
    if (!wins) continue;
    best = kLetters[k];
    most = counts[k];
  }
  return best;
}

}  // namespace equipoise
