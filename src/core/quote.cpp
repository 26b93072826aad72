// Quotes a text for a message.
#include "core/quote.h"

#include <fmt/format.h>

namespace equipoise {

std::string one_line(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '\n')
      out += "\\n";
    else if (letter == '\r')
      out += "\\r";
    else if (letter == '\t')
      out += "\\t";
    else if (code < 0x20 || code == 0x7F)
      out += fmt::format("\\x{:02x}", code);
    else
      out += letter;
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::size_t size = text.size();
  if (size > kLongest) {
    size = kLongest;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;  // not within a letter
  }
  return '"' + one_line(text.substr(0, size)) + (size < text.size() ? "…\"" : "\"");
}

}  // namespace equipoise
