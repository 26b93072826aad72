// Paths and queries, decoded strictly: what cannot be what a client meant is refused.
#include "serve/target.h"

#include <fmt/format.h>

#include <iterator>

#include "core/quote.h"
#include "core/text.h"
#include "serve/http.h"

namespace equipoise {

namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+' && plus_is_blank) {
      out += ' ';
      continue;
    }
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const int high = at + 2 < text.size() ? digit(text[at + 1]) : -1;
    const int low = high >= 0 ? digit(text[at + 2]) : -1;
    if (low < 0) throw Refusal(400, fmt::format("expected two hexadecimal digits behind %, in {}", in_quotes(text)));
    out += static_cast<char>(16 * high + low);
    at += 2;
  }
  if (find_bad_utf8(out) != std::string::npos || out.find('\0') != std::string::npos) {
    throw Refusal(400, fmt::format("expected UTF-8 without NUL in the target, got {}", in_quotes(text)));
  }
  return out;
}

void add_member(Target& out, std::string_view member) {
  const std::size_t at = member.find('=');
  std::string name = decoded(member.substr(0, at), true);
  for (const auto& [known, value] : out.query) {
    if (known == name) throw Refusal(400, fmt::format("{} occurs twice in the query", in_quotes(name)));
  }
  std::string value = at == std::string_view::npos ? "" : decoded(member.substr(at + 1), true);
  out.query.emplace_back(std::move(name), std::move(value));
}

}  // namespace

Target parse_target(std::string_view text) {
  if (!text.starts_with('/')) throw Refusal(400, "expected a target that begins with /");
  Target out;
  text = text.substr(0, text.find('#'));
  const std::size_t mark = text.find('?');
  std::string_view path = text.substr(1, mark == std::string_view::npos ? mark : mark - 1);
  for (bool more = !path.empty(); more;) {
    const std::size_t slash = path.find('/');
    out.path.push_back(decoded(path.substr(0, slash), false));
    more = slash != std::string_view::npos;
    if (more) path.remove_prefix(slash + 1);
  }
  std::string_view query = mark == std::string_view::npos ? "" : text.substr(mark + 1);
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    if (end != 0) add_member(out, query.substr(0, end));
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  return out;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain)
      out += c;
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", byte);
  }
  return out;
}

}  // namespace equipoise
