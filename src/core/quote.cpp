// Quotes a text for a message.
#include "core/quote.h"

#include <fmt/format.h>

#include "core/text.h"

namespace equipoise {

namespace {

// The number of a letter of up to three bytes; there is no control character beyond.
unsigned code_of(std::string_view letter) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(letter[k])); };
  if (letter.size() == 1) return byte(0);
  if (letter.size() == 2) return (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU);
  if (letter.size() == 3) return (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
  return 0xFFFD;
}

// How it is written for people: \n, \x1b, \u202e.
std::string written(std::string_view letter) {
  if (letter == "\n") return "\\n";
  if (letter == "\r") return "\\r";
  if (letter == "\t") return "\\t";
  if (letter.size() == 1) return fmt::format("\\x{:02x}", code_of(letter));
  return fmt::format("\\u{:04x}", code_of(letter));
}

// Letters that are controls, and bytes that are no letter, are put through `write`.
template <class Write>
std::string changed(std::string_view text, Write write) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text, 0);
    const std::string_view letter = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || is_control(letter)) {
      out += write(letter);
    } else {
      out += letter;
    }
    text.remove_prefix(letter.size());
  }
  return out;
}

}  // namespace

bool is_control(std::string_view letter) {
  const unsigned code = code_of(letter);
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string one_line(std::string_view text) { return changed(text, written); }

std::string visible_lines(std::string_view text) {
  return changed(text, [](std::string_view letter) {
    return letter == "\n" || letter == "\t" ? std::string(letter) : written(letter);
  });
}

std::string visible_json(std::string_view json) {
  return changed(json, [](std::string_view letter) {
    return letter == "\n" ? std::string(letter) : fmt::format("\\u{:04x}", code_of(letter));
  });
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
