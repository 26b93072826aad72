// Single fields of tables as people write them: missing values, numbers with a decimal comma, dates and times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace equipoise {

/// ASCII letters in lower case; other letters stay.
std::string lower_case(std::string_view text);

/// Whether a field says that there is no value: empty, NA, N/A, NaN, null, none or \N, in whatever case.
bool is_missing(std::string_view text);

/// Whether it is a word for yes or no: yes, no, true, false, y, n, t, f, in whatever case.
bool is_yes_or_no(std::string_view text);

/// A finite number with spaces around it perhaps, or nothing. With `decimal_comma`, 3,5 is a number and 3.5 is none.
std::optional<double> parse_number(std::string_view text, bool decimal_comma);

/// Whether it would be a number if commas were decimal points: "3,5".
bool has_decimal_comma(std::string_view text);

/// A time: a number of any unit, whose fraction is cut off, or a date or date and time (2023-05-04,
/// 2023-05-04T10:11:12Z, 2023-05-04 10:11:12.5+02:00) as whole seconds since 1970, in UTC unless a zone is given.
std::optional<std::int64_t> parse_time(std::string_view text);

/// A time for people: the number, and the date where the number can be seconds since 1970.
std::string time_text(std::int64_t time);

}  // namespace equipoise
