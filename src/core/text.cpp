// Small, strict helpers for text: numbers, splitting, UTF-8, and "did you mean".
#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "core/digits.h"

namespace equipoise {

namespace {

template <class T>
std::optional<T> parse_whole_text(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

template <class T>
std::string shortest(T value) {
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

// Letters to insert, delete, change or swap to turn one word into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = row;
    std::swap(row, next);
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::int64_t> parse_int(std::string_view text) {
  const std::uint64_t number = read_digits(text);
  if (number != kNoNumber) return static_cast<std::int64_t>(number);
  return parse_whole_text<std::int64_t>(text);  // a sign, many digits, or no number
}
std::optional<double> parse_double(std::string_view text) { return parse_whole_text<double>(text); }

std::optional<bool> parse_bool(std::string_view text) {
  if (text == "true" || text == "yes" || text == "on" || text == "1") return true;
  if (text == "false" || text == "no" || text == "off" || text == "0") return false;
  return std::nullopt;
}

std::string to_text(double value) { return shortest(value); }
std::string to_text(float value) { return shortest(value); }

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string thousands(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0U;
  };
  const auto tail = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned b0 = byte(0), b1 = byte(1);
  if (b0 < 0x80U) return 1;
  if (b0 >= 0xC2U && b0 <= 0xDFU) return tail(1) ? 2 : 0;
  if (b0 >= 0xE0U && b0 <= 0xEFU) {
    const bool fits = !(b0 == 0xE0U && b1 < 0xA0U) && !(b0 == 0xEDU && b1 > 0x9FU);
    return fits && tail(1) && tail(2) ? 3 : 0;
  }
  if (b0 >= 0xF0U && b0 <= 0xF4U) {
    const bool fits = !(b0 == 0xF0U && b1 < 0x90U) && !(b0 == 0xF4U && b1 > 0x8FU);
    return fits && tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

std::size_t find_bad_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string nearest(std::string_view typed, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, typed.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::size_t longer = std::max(typed.size(), name.size()), shorter = std::min(typed.size(), name.size());
    if (longer - shorter >= least) continue;  // so many letters are missing at least; a typed megabyte costs nothing
    const std::size_t d = distance(typed, name);
    if (d < least && d < name.size()) {
      least = d;
      best = name;
    }
  }
  return best;
}

std::string suggest(std::string_view typed, const std::vector<std::string>& known) {
  const std::string near = nearest(typed, known);
  if (!near.empty()) return fmt::format("; did you mean {}?", near);
  return fmt::format("; known: {}", join(known, ", "));
}

}  // namespace equipoise
