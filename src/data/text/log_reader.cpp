// Reads one log file into rows: which column is what, and each record's ids, label and numbers.
#include "data/text/log_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "core/digits.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/ranges.h"
#include "data/text/fields.h"
#include "data/text/log_pieces.h"

namespace equipoise {
namespace {

constexpr std::size_t kNone = CsvReader::npos;
constexpr std::size_t kMostLongIds = std::size_t{1} << 20;  // bytes; more than a piece of a file can have
constexpr const char* kDropHint = "; missing = drop leaves such rows out";

[[noreturn]] void refuse_id(const CsvReader& csv, std::size_t column, const char* what, const RowRules& rules) {
  throw DataError(csv.place(column), fmt::format("empty {} id{}", what, rules.lenient ? kDropHint : ""));
}

// What is rare is apart, so that the rest of `read_id` is part of the loop over records.
void read_other_id(const CsvReader& csv, std::size_t column, const char* what, const RowRules& rules, IdTexts& ids) {
  if (rules.whole_ids) return ids.push_back(std::to_string(csv.whole(column)));
  const std::string_view id = trim(csv.field(column));
  if (id.empty()) refuse_id(csv, column, what, rules);
  ids.push_back(id);
}

inline void read_id(const CsvReader& csv, std::size_t column, const char* what, const RowRules& rules, IdTexts& ids) {
  if (rules.whole_ids || rules.padded) return read_other_id(csv, column, what, rules, ids);
  const std::string_view id = csv.field(column);
  if (id.empty()) refuse_id(csv, column, what, rules);
  ids.push_back(id);
}

/// Why a field is no number, and what helps.
[[noreturn]] void refuse_number(const CsvReader& csv, std::size_t column, const RowRules& rules, bool label) {
  const std::string_view text = csv.field(column);
  std::string what = fmt::format("{} is not a {}number", in_quotes(text), parse_double(text) ? "finite " : "");
  if (is_missing(text))
    what += kDropHint;
  else if (label && is_yes_or_no(text))
    what += "; positive = yes,true,1 would name the texts that are positive";
  else if (!rules.decimal_comma && has_decimal_comma(text))
    what += "; decimal = comma reads 3,5 as three and a half";
  else if (rules.decimal_comma)
    what += " with a decimal comma (decimal = comma)";
  else if (label)
    what += "; positive names the texts that are positive";
  throw DataError(csv.place(column), what);
}

double read_number(const CsvReader& csv, std::size_t column, const RowRules& rules, bool label) {
  if (!rules.lenient) return csv.number(column);
  const auto plain = rules.decimal_comma ? std::nullopt : parse_double(csv.field(column));
  if (plain && std::isfinite(*plain)) return *plain;
  if (const auto value = parse_number(csv.field(column), rules.decimal_comma)) return *value;
  refuse_number(csv, column, rules, label);
}

float read_real(const CsvReader& csv, std::size_t column, const RowRules& rules) {
  // The nearest float is read from the text itself, where that is a number as programs write it.
  if (!rules.lenient || parse_double(csv.field(column))) return csv.real(column);
  return static_cast<float>(read_number(csv, column, rules, false));
}

float read_propensity(const CsvReader& csv, std::size_t column, const RowRules& rules) {
  const float value = read_real(csv, column, rules);
  if (is_propensity(value)) return value;
  throw DataError(csv.place(column), fmt::format("propensity {} is not above 0 and up to 1", csv.field(column)));
}

float read_weight(const CsvReader& csv, std::size_t column, const RowRules& rules) {
  const float value = read_real(csv, column, rules);
  if (value >= 0) return value;
  throw DataError(csv.place(column), fmt::format("weight {} is below 0", csv.field(column)));
}

double read_chance(const CsvReader& csv, std::size_t column, const RowRules& rules) {
  const double value = read_number(csv, column, rules, false);
  if (is_chance(value)) return value;
  throw DataError(csv.place(column), fmt::format("chance {} is not above 0 and up to 1", csv.field(column)));
}

std::int32_t read_count(const CsvReader& csv, std::size_t column) {
  const std::int64_t value = csv.whole(column);
  if (value >= 1 && value <= std::numeric_limits<std::int32_t>::max()) return static_cast<std::int32_t>(value);
  throw DataError(csv.place(column), fmt::format("{} is not a number from 1", csv.field(column)));
}

// What a server that draws its lists knows of a row.
void read_drawn(const CsvReader& csv, const LogColumns& columns, const RowRules& rules, LogPiece& piece) {
  Rows& rows = piece.rows;
  if (columns.request != kNone) read_id(csv, columns.request, "request", rules, piece.requests);
  if (columns.position != kNone) rows.position.push_back(read_count(csv, columns.position));
  if (columns.at_position != kNone) rows.at_position.push_back(read_chance(csv, columns.at_position, rules));
  if (columns.given_above != kNone) rows.given_above.push_back(read_chance(csv, columns.given_above, rules));
  if (columns.eligible != kNone) rows.eligible.push_back(read_count(csv, columns.eligible));
}

std::int64_t read_time(const CsvReader& csv, std::size_t column, const RowRules& rules) {
  const std::uint64_t digits = read_digits(csv.field(column));
  if (digits != kNoNumber) return static_cast<std::int64_t>(digits);
  if (!rules.lenient) return csv.whole(column);
  if (const auto time = parse_time(csv.field(column))) return *time;
  throw DataError(csv.place(column),
                  fmt::format("{} is not a whole number, nor a date such as 2023-05-04 or 2023-05-04T10:11:12Z{}",
                              in_quotes(csv.field(column)), is_missing(csv.field(column)) ? kDropHint : ""));
}

double any_label(const CsvReader& csv, std::size_t column, const RowRules& rules) {
  if (!rules.label.by_words()) return read_number(csv, column, rules, true);
  if (is_missing(csv.field(column))) refuse_number(csv, column, rules, true);
  return rules.label.label_of_word(csv.field(column));
}

/// The number that the label is made of.
inline double read_raw(const CsvReader& csv, std::size_t column, const RowRules& rules) {
  if (column == kNone) return 1;
  const std::string_view text = csv.field(column);
  const bool digit = text.size() == 1 && text[0] >= '0' && text[0] <= '9';  // most ratings and labels
  return digit && !rules.label.by_words() ? text[0] - '0' : any_label(csv, column, rules);
}

inline float read_label(const CsvReader& csv, std::size_t column, const RowRules& rules, double raw) {
  if (column == kNone || rules.label.by_words()) return static_cast<float>(raw);
  if (const auto label = rules.label.label(raw)) return *label;
  throw DataError(csv.place(column), LabelRule::refusal(raw));
}

/// Whether a column that has a role has no value in this record. Ids are texts: only nothing is missing.
bool has_missing(const CsvReader& csv, const LogColumns& columns) {
  for (const std::size_t id : {columns.user, columns.item, columns.request}) {
    if (id != kNone && trim(csv.field(id)).empty()) return true;
  }
  for (const std::size_t column : {columns.label, columns.propensity, columns.weight, columns.timestamp,
                                   columns.position, columns.at_position, columns.given_above, columns.eligible}) {
    if (column != kNone && is_missing(csv.field(column))) return true;
  }
  return false;
}

// Appends up to `most` records, but for those that `keep` does not keep; false if there were none. Long ids end a piece
// sooner: a piece holds an id once for each of its rows.
bool append_records(CsvReader& csv, const LogColumns& columns, const RowRules& rules, const LogFilter& keep,
                    std::size_t most, LogPiece& piece) {
  Rows& rows = piece.rows;
  for (std::size_t k = 0; k < most; ++k) {
    const std::size_t long_ids =
        piece.users.long_ones().size() + piece.items.long_ones().size() + piece.requests.long_ones().size();
    if (long_ids > kMostLongIds) return true;
    if (!csv.next()) return k > 0;
    if (rules.drop_missing && has_missing(csv, columns)) {
      ++piece.missing, ++piece.filtered;
      continue;
    }
    const double raw = read_raw(csv, columns.label, rules);
    if (keep && !keep(csv, raw)) {
      ++piece.filtered;
      continue;
    }
    rows.label.push_back(read_label(csv, columns.label, rules, raw));
    read_id(csv, columns.user, "user", rules, piece.users);
    read_id(csv, columns.item, "item", rules, piece.items);
    if (columns.propensity != kNone) rows.propensity.push_back(read_propensity(csv, columns.propensity, rules));
    if (columns.weight != kNone) rows.weight.push_back(read_weight(csv, columns.weight, rules));
    if (columns.timestamp != kNone) rows.timestamp.push_back(read_time(csv, columns.timestamp, rules));
    read_drawn(csv, columns, rules, piece);
    if (columns.item_name != kNone) piece.item_names.emplace_back(trim(csv.field(columns.item_name)));
    piece.lines.push_back(csv.line());
  }
  return true;
}

// In bytes; 0 where it is not known (stdin, and what is packed grows).
std::uint64_t size_of_file(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  return unknown ? 0 : size;
}

Duplicates settled(Duplicates rule, const Rows& rows) {
  if (rule != Duplicates::automatic) return rule;
  const bool positives = std::all_of(rows.label.begin(), rows.label.end(), [](float label) { return label == 1; });
  return positives ? Duplicates::first : Duplicates::error;
}

}  // namespace

void adopt_requests(Log& log, IdMap& requests) {
  if (log.requests.size() == 0) return;
  std::vector<std::int32_t> numbers;
  for (const std::string& name : log.requests.names()) numbers.push_back(requests.add(name));
  for (std::int32_t& request : log.rows.request) request = numbers[static_cast<std::size_t>(request)];
}

void drop_duplicates(Log& log, Duplicates rule, const IdMap& users, const IdMap& items, Pool* pool) {
  const std::vector<RowNumber> gone =
      duplicate_rows(log.rows, same_pairs_in_requests(log.rows, pool), settled(rule, log.rows), users, items,
                     [&](std::size_t row) { return log.place(row); });
  log.duplicates_removed = static_cast<std::int64_t>(gone.size());
  log.rows.remove(gone, pool);
  log.lines.remove(gone);
  if (rule != Duplicates::automatic || gone.empty()) return;
  note(
      fmt::format("{}: {} rows repeat a pair and are left out; every label is 1, so that the first row of a pair says "
                  "all (duplicates = error refuses them)",
                  log.file, thousands(log.duplicates_removed)));
}

namespace {

Log all_records(CsvReader& csv, const LogColumns& columns, const RowRules& rules, IdMap& users, IdMap& items,
                const LogFilter& keep, Pool* pool) {
  Log log;
  log.file = csv.file();
  log.has_labels = columns.label != kNone;
  const ReadRecords read = [&](CsvReader& records, std::size_t most, LogPiece& piece) {
    return append_records(records, columns, rules, keep, most, piece);
  };
  read_in_pieces(csv, size_of_file(csv.file()), read, pool, log, users, items);
  return log;
}

void check_size(const Log& log) {
  if (log.rows.empty()) {
    throw DataError(Place{log.file}, log.filtered == 0 ? "has a header and no rows"
                                                       : fmt::format("all {} rows are left out", log.filtered));
  }
  if (log.rows.size() > std::numeric_limits<RowNumber>::max()) {
    throw DataError(Place{log.file}, fmt::format("{} rows, expected at most 2^32 − 1", log.rows.size()));
  }
}

}  // namespace

Log read_records(CsvReader& csv, const LogColumns& columns, const RowRules& rules, Duplicates duplicates, IdMap& users,
                 IdMap& items, const LogFilter& keep, Pool* pool) {
  Log log = all_records(csv, columns, rules, users, items, keep, pool);
  check_size(log);
  drop_duplicates(log, duplicates, users, items, pool);
  return log;
}

void check_before_reading(const LogParams& params) {
  params.label_rule();
  params.time();
  parse_duplicates(params.duplicates);
}

Log read_log(const std::string& path, const LogParams& params, IdMap& users, IdMap& items, const LogFilter& keep,
             Pool* pool) {
  check_before_reading(params);
  CsvReader csv(path, csv_format(params, path));
  return read_log(csv, params, users, items, keep, pool);
}

Log read_log(CsvReader& csv, const LogParams& params, IdMap& users, IdMap& items, const LogFilter& keep, Pool* pool) {
  parse_duplicates(params.duplicates);
  Log log = read_rows(csv, params, users, items, keep, pool);
  finish_log(log, params, users, items, pool);
  return log;
}

Log read_rows(CsvReader& csv, const LogParams& params, IdMap& users, IdMap& items, const LogFilter& keep, Pool* pool) {
  std::vector<std::string> unused;
  const LogColumns columns = find_columns(params, csv, unused);
  const RowRules rules{.label = params.label_rule(),
                       .whole_ids = params.whole_ids,
                       .drop_missing = params.missing == "drop",
                       .decimal_comma = params.decimal == "comma",
                       .padded = columns.padded,
                       .lenient = params.lenient};
  Log log = all_records(csv, columns, rules, users, items, keep, pool);
  log.unused_columns = std::move(unused);
  return log;
}

void finish_log(Log& log, const LogParams& params, const IdMap& users, const IdMap& items, Pool* pool) {
  check_size(log);
  drop_duplicates(log, parse_duplicates(params.duplicates), users, items, pool);
  const auto positive = [](float label) { return label == 1; };
  if (params.label_rule().by_words() && std::none_of(log.rows.label.begin(), log.rows.label.end(), positive)) {
    throw DataError(Place{log.file},
                    fmt::format("no label is one of the texts that positive names ({})", params.positive));
  }
  if (log.missing == 0) return;
  note(fmt::format("{}: {} rows without user, item, label or another value are dropped (missing = drop)", log.file,
                   thousands(log.missing)));
}

Place Log::place(std::size_t row) const {
  if (in_memory) return {fmt::format("{}, row {}", file, lines[row])};
  const auto after = std::upper_bound(parts.begin(), parts.end(), row,
                                      [](std::size_t r, const LogPart& part) { return r < part.first_row; });
  return {after == parts.begin() ? file : (after - 1)->file, lines[row], 0};
}

}  // namespace equipoise
