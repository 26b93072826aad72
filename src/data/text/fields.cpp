// Single fields of tables: the words for missing values and for yes and no, numbers, and the parts of a date.
#include "data/text/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "core/digits.h"
#include "core/text.h"

namespace equipoise {
namespace {

template <std::size_t N>
bool is_one(std::string_view text, const std::array<std::string_view, N>& words) {
  const std::string word = lower_case(trim(text));
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Walks over the parts of a date; each step says whether it was there.
class DateText {
 public:
  explicit DateText(std::string_view text) : text_(text) {}
  bool at_end() const { return text_.empty(); }
  bool letter(std::string_view any_of) {
    if (text_.empty() || any_of.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool digits(std::size_t count, int& number, int low, int high) {
    const std::uint64_t value = text_.size() < count ? kNoNumber : read_digits(text_.substr(0, count));
    if (value == kNoNumber || static_cast<int>(value) < low || static_cast<int>(value) > high) return false;
    number = static_cast<int>(value);
    text_.remove_prefix(count);
    return true;
  }
  bool any_digits() {
    const std::size_t count = std::min(text_.find_first_not_of("0123456789"), text_.size());
    text_.remove_prefix(count);
    return count > 0;
  }

 private:
  std::string_view text_;
};

/// Hours, minutes, perhaps seconds and their fraction, as seconds of the day.
std::optional<int> time_of_day(DateText& at) {
  int hour = 0, minute = 0, second = 0;
  if (!at.digits(2, hour, 0, 23) || !at.letter(":") || !at.digits(2, minute, 0, 59)) return std::nullopt;
  if (at.letter(":")) {
    if (!at.digits(2, second, 0, 60)) return std::nullopt;
    if (at.letter(".,") && !at.any_digits()) return std::nullopt;
  }
  return (hour * 60 + minute) * 60 + second;
}

/// Seconds that the zone is ahead of UTC: nothing, Z, +02, +0200 or +02:00.
std::optional<int> zone(DateText& at) {
  at.letter(" ");
  if (at.at_end() || at.letter("Zz")) return 0;
  const bool behind = at.letter("-");
  if (!behind && !at.letter("+")) return std::nullopt;
  int hour = 0, minute = 0;
  if (!at.digits(2, hour, 0, 14)) return std::nullopt;
  at.letter(":");
  if (!at.at_end() && !at.digits(2, minute, 0, 59)) return std::nullopt;
  return (behind ? -60 : 60) * (hour * 60 + minute);
}

std::optional<std::int64_t> parse_date(std::string_view text) {
  namespace chrono = std::chrono;
  DateText at(text);
  int year = 0, month = 0, day = 0, second = 0;
  if (!at.digits(4, year, 1, 9999)) return std::nullopt;
  const bool slashes = at.letter("/");
  const std::string_view between = slashes ? "/" : "-";
  if ((!slashes && !at.letter(between)) || !at.digits(2, month, 1, 12)) return std::nullopt;
  if (!at.letter(between) || !at.digits(2, day, 1, 31)) return std::nullopt;
  const chrono::year_month_day date{chrono::year(year), chrono::month(static_cast<unsigned>(month)),
                                    chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  int ahead = 0;
  if (at.letter("Tt ")) {
    const auto time = time_of_day(at);
    const auto offset = time ? zone(at) : std::nullopt;
    if (!offset) return std::nullopt;
    second = *time, ahead = *offset;
  }
  if (!at.at_end()) return std::nullopt;
  return std::int64_t{chrono::sys_days(date).time_since_epoch().count()} * 86400 + second - ahead;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& letter : out) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  return out;
}

bool is_missing(std::string_view text) {
  static constexpr std::array<std::string_view, 7> kWords{"", "na", "n/a", "nan", "null", "none", "\\n"};
  return is_one(text, kWords);
}

bool is_yes_or_no(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kWords{"yes", "no", "true", "false", "y", "n", "t", "f"};
  return is_one(text, kWords);
}

std::optional<double> parse_number(std::string_view text, bool decimal_comma) {
  std::string plain(trim(text));
  if (plain.size() > 1 && plain[0] == '+' && plain[1] != '-') plain.erase(0, 1);
  if (decimal_comma) {
    if (plain.find('.') != std::string::npos) return std::nullopt;
    if (const std::size_t comma = plain.find(','); comma != std::string::npos) plain[comma] = '.';
  }
  const auto value = parse_double(plain);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool has_decimal_comma(std::string_view text) {
  return text.find(',') != std::string_view::npos && parse_number(text, true).has_value();
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  const std::string_view plain = trim(text);
  if (const auto whole = parse_int(plain)) return *whole;
  if (const auto number = parse_number(plain, false)) {
    constexpr double kExact = 0x1.0p53;
    if (std::abs(*number) < kExact) return static_cast<std::int64_t>(std::floor(*number));
    return std::nullopt;
  }
  return parse_date(plain);
}

std::string time_text(std::int64_t time) {
  namespace chrono = std::chrono;
  constexpr std::int64_t kFirst = 100'000'000, kLast = 10'000'000'000;  // 1973 to 2286
  if (time < kFirst || time >= kLast) return std::to_string(time);
  const chrono::sys_seconds at{chrono::seconds(time)};
  const auto days = chrono::floor<chrono::days>(at);
  const chrono::year_month_day date(days);
  const chrono::hh_mm_ss clock(at - days);
  return fmt::format("{} ({:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z)", time, static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

}  // namespace equipoise
