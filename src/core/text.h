// Small, strict helpers for text: numbers, splitting, UTF-8, and "did you mean".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// The whole text as a number, or nothing; no leading blanks or plus sign, no hex, no locale.
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<double> parse_double(std::string_view text);  ///< may be NaN or infinite: the caller decides

/// "true/false", "yes/no", "on/off", "1/0".
std::optional<bool> parse_bool(std::string_view text);

/// The shortest text that reads back as the same number.
std::string to_text(double value);
std::string to_text(float value);

std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string_view trim(std::string_view text);

/// 61275 as "61,275", for people.
std::string thousands(std::int64_t value);

/// How many bytes the letter at that place has; 0 = there is no valid UTF-8.
std::size_t utf8_length(std::string_view text, std::size_t at);
/// The position of the first byte that is not valid UTF-8, or npos.
std::size_t find_bad_utf8(std::string_view text);

/// The known name nearest to what was typed, or "" if none is near.
std::string nearest(std::string_view typed, const std::vector<std::string>& known);

/// "; did you mean X?" or "; known: A, B, C", in one line.
std::string suggest(std::string_view typed, const std::vector<std::string>& known);

}  // namespace equipoise
