// Finds which column of a log's file has which role: by number, by name, or by what a label is usually called.
#include "data/text/log_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/text/fields.h"

namespace equipoise {
namespace {

struct Role {
  const char* parameter;
  std::string given;
  std::size_t& column;
  bool needed;
};

std::size_t numbered_column(const Role& role, const CsvReader& csv) {
  const auto number = parse_int(role.given);
  if (!number || *number < 1) {
    throw UsageError(fmt::format("{}: {} is not a column number from 1, which a file without header needs",
                                 role.parameter, in_quotes(role.given)));
  }
  if (static_cast<std::uint64_t>(*number) > csv.width()) {
    throw DataError(Place{csv.file(), 1, 0},
                    fmt::format("no column {} for {}; there are {} columns{}", role.given, role.parameter, csv.width(),
                                csv.width() == 1 ? " (separator names the separator)" : ""));
  }
  return static_cast<std::size_t>(*number) - 1;
}

// A header of numbers is a row, most likely.
std::string header_hint(const CsvReader& csv) {
  const bool row = csv.format().lenient && std::any_of(csv.header().begin(), csv.header().end(),
                                                       [](const auto& name) { return parse_double(name).has_value(); });
  return row ? " (if the first line is a row: header = false)" : "";
}

std::size_t named_column(const Role& role, const CsvReader& csv) {
  const std::size_t found =
      csv.format().lenient ? find_loosely(csv, role.given, role.parameter) : csv.find_column(role.given);
  if (found == CsvReader::npos && role.needed) {
    throw DataError(Place{csv.file(), 1, 0}, fmt::format("no column {} for {}; columns: {}{}", in_quotes(role.given),
                                                         role.parameter, csv.shown_header(), header_hint(csv)));
  }
  return found;
}

/// A column that is likely to hold what a label is made of, or npos.
std::size_t looks_like_label(const CsvReader& csv) {
  static constexpr std::array<std::string_view, 22> kNames{
      "rating", "ratings",  "score", "scores", "stars",    "star",       "click",    "clicked",
      "clicks", "is_click", "like",  "liked",  "is_liked", "likes",      "feedback", "response",
      "reward", "target",   "y",     "labels", "value",    "watch_ratio"};
  const std::vector<std::string>& header = csv.header();
  const auto found = std::find_if(header.begin(), header.end(), [](const std::string& name) {
    return std::find(kNames.begin(), kNames.end(), lower_case(trim(name))) != kNames.end();
  });
  return found == header.end() ? CsvReader::npos : static_cast<std::size_t>(found - header.begin());
}

/// `auto` for the label: its column by name, none where nothing may be a label, and an error where something may.
std::string settle_label(const LogParams& params, const CsvReader& csv) {
  if (params.label_column != "auto") return params.label_column == "none" ? "" : params.label_column;
  if (!params.header) {
    if (csv.width() == 2) return "";
    throw UsageError(
        fmt::format("label_column: a file of {} columns without header needs the number of the label's "
                    "column, or none where every row is a positive",
                    csv.width()));
  }
  if (find_loosely(csv, "label", "label_column") != CsvReader::npos) return "label";
  if (const std::size_t like = looks_like_label(csv); like != CsvReader::npos) {
    throw DataError(Place{csv.file(), 1, 0},
                    fmt::format("no column \"label\" for label_column; columns: {} (label_column = {} takes that one, "
                                "label_column = none counts every row as a positive)",
                                csv.shown_header(), trim(csv.header()[like])));
  }
  return "";
}

/// The column of the time: the one named, or one called timestamp that has no other role; none: there is none.
std::string settle_time(const LogParams& params, const CsvReader& csv, const std::vector<const char*>& taken) {
  const std::string& given = params.time();
  if (!given.empty() || !params.lenient || !params.header) return given == "none" ? "" : given;
  const std::size_t found = find_loosely(csv, "timestamp", "timestamp_column");
  if (found == CsvReader::npos || taken[found] != nullptr || csv.header()[found] == params.item_name_column) return "";
  note(fmt::format("{}: column {} is taken as the time of the rows (timestamp_column = none leaves it out)", csv.file(),
                   in_quotes(csv.header()[found])));
  return "timestamp";
}

bool is_padded(const std::string& name, const std::string& given) {
  return name != given && trim(name).size() != name.size();
}

}  // namespace

std::size_t find_loosely(const CsvReader& csv, const std::string& name, const char* parameter) {
  const std::vector<std::string>& header = csv.header();
  const std::string plain = lower_case(trim(name));
  std::vector<std::size_t> exact, near;
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (header[c] == name) exact.push_back(c);
    if (lower_case(trim(header[c])) == plain && !plain.empty()) near.push_back(c);
  }
  const std::vector<std::size_t>& found = exact.empty() ? near : exact;
  if (found.empty()) return CsvReader::npos;
  if (found.size() == 1) return found.front();
  throw DataError(
      csv.header_place(found[1]),
      fmt::format("column {} occurs twice in the header, first as column {}; {} needs a name that occurs once",
                  in_quotes(header[found[1]]), found[0] + 1, parameter));
}

LogColumns find_columns(const LogParams& params, const CsvReader& csv, std::vector<std::string>& unused) {
  LogColumns columns;
  const std::array roles{
      Role{"user_column", params.user_column, columns.user, true},
      Role{"item_column", params.item_column, columns.item, true},
      Role{"label_column", params.label_column, columns.label, true},
      Role{"propensity_column", params.propensity_column, columns.propensity, true},
      Role{"weight_column", params.weight_column, columns.weight, true},
      Role{"timestamp_column", params.time(), columns.timestamp, true},
      Role{"request_column", params.request_column, columns.request, true},
      Role{"position_column", params.position_column, columns.position, true},
      Role{"propensity_at_position_column", params.propensity_at_position_column, columns.at_position, true},
      Role{"propensity_given_above_column", params.propensity_given_above_column, columns.given_above, true},
      Role{"eligible_column", params.eligible_column, columns.eligible, true},
      Role{"item_name_column", params.item_name_column, columns.item_name, false}};
  std::vector<const char*> taken(csv.width(), nullptr);
  for (Role role : roles) {
    if (&role.column == &columns.label) role.given = settle_label(params, csv);
    if (&role.column == &columns.timestamp) role.given = settle_time(params, csv, taken);
    if (role.given.empty()) {
      const bool id = &role.column == &columns.user || &role.column == &columns.item;
      if (id) throw UsageError(fmt::format("{}: expected a column", role.parameter));
      continue;
    }
    role.column = params.header ? named_column(role, csv) : numbered_column(role, csv);
    if (role.column == CsvReader::npos) continue;
    const char*& owner = taken[role.column];
    if (owner != nullptr) {
      throw UsageError(fmt::format("{}: column {} is {} already", role.parameter, in_quotes(role.given), owner));
    }
    owner = role.parameter;
    columns.padded = columns.padded || (params.header && is_padded(csv.header()[role.column], role.given));
  }
  for (std::size_t c = 0; c < csv.header().size(); ++c) {
    if (taken[c] == nullptr) unused.push_back(csv.header()[c]);
  }
  return columns;
}

}  // namespace equipoise
