// Texts and numbers as JSON.
#include "core/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "core/text.h"

namespace equipoise {

namespace {

// Letters that stand for themselves are copied many at a time.
bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && (c & 0x80) == 0; }

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_plain(text[end])) ++end;
    out.append(text, at, end - at);
    at = end;
    if (at == text.size()) break;
    if ((text[at] & 0x80) == 0) {
      append_escaped(out, text[at++]);
      continue;
    }
    const std::size_t length = utf8_length(text, at);
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else
      out.append(text, at, length);
    at += length == 0 ? 1 : length;
  }
  out += '"';
}

namespace {

template <class T>
void append_number(std::string& out, T value) {
  if (std::isfinite(value))
    fmt::format_to(std::back_inserter(out), "{}", value);
  else
    out += "null";
}

}  // namespace

void append_json(std::string& out, double value) { append_number(out, value); }
void append_json(std::string& out, float value) { append_number(out, value); }
void append_json(std::string& out, std::int64_t value) { fmt::format_to(std::back_inserter(out), "{}", value); }

}  // namespace equipoise
