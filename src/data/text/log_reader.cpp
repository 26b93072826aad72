// Reads one log file into rows: which column is what, and each record's ids, label and numbers.
#include "data/text/log_reader.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/quote.h"
#include "core/text.h"
#include "data/ranges.h"
#include "data/text/log_pieces.h"

namespace equipoise {
namespace {

constexpr std::size_t kNone = CsvReader::npos;
constexpr std::size_t kMostLongIds = std::size_t{1} << 20;  // bytes; more than a piece of a file can have

struct Role {
  const char* parameter;
  const std::string& given;
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
                    fmt::format("no column {} for {}; there are {} columns", role.given, role.parameter, csv.width()));
  }
  return static_cast<std::size_t>(*number) - 1;
}

std::size_t named_column(const Role& role, const CsvReader& csv) {
  const std::size_t found = csv.find_column(role.given);
  if (found == kNone) {
    throw DataError(Place{csv.file(), 1, 0}, fmt::format("no column {} for {}; columns: {}", in_quotes(role.given),
                                                         role.parameter, csv.shown_header()));
  }
  return found;
}

LogColumns find_columns(const LogParams& params, const CsvReader& csv, std::vector<std::string>& unused) {
  LogColumns columns;
  const std::array roles{Role{"user_column", params.user_column, columns.user, true},
                         Role{"item_column", params.item_column, columns.item, true},
                         Role{"label_column", params.label_column, columns.label, true},
                         Role{"propensity_column", params.propensity_column, columns.propensity, false},
                         Role{"weight_column", params.weight_column, columns.weight, false},
                         Role{"timestamp_column", params.timestamp_column, columns.timestamp, false}};
  std::vector<const char*> taken(csv.width(), nullptr);
  for (const Role& role : roles) {
    if (role.given.empty()) {
      if (role.needed) throw UsageError(fmt::format("{}: expected a column", role.parameter));
      continue;
    }
    role.column = params.header ? named_column(role, csv) : numbered_column(role, csv);
    const char*& owner = taken[role.column];
    if (owner != nullptr) {
      throw UsageError(fmt::format("{}: column {} is {} already", role.parameter, in_quotes(role.given), owner));
    }
    owner = role.parameter;
  }
  for (std::size_t c = 0; c < csv.header().size(); ++c) {
    if (taken[c] == nullptr) unused.push_back(csv.header()[c]);
  }
  return columns;
}

// What is rare is apart, so that the rest of `read_id` is part of the loop over records.
void read_whole_id(const CsvReader& csv, std::size_t column, IdTexts& ids) {
  ids.push_back(std::to_string(csv.whole(column)));
}

[[noreturn]] void refuse_id(const CsvReader& csv, std::size_t column, const char* what) {
  throw DataError(csv.place(column), fmt::format("empty {} id", what));
}

inline void read_id(const CsvReader& csv, std::size_t column, const char* what, bool whole, IdTexts& ids) {
  if (whole) return read_whole_id(csv, column, ids);
  const std::string_view id = csv.field(column);
  if (id.empty()) refuse_id(csv, column, what);
  ids.push_back(id);
}

float read_propensity(const CsvReader& csv, std::size_t column) {
  const float value = csv.real(column);
  if (is_propensity(value)) return value;
  throw DataError(csv.place(column), fmt::format("propensity {} is not above 0 and up to 1", csv.field(column)));
}

float read_weight(const CsvReader& csv, std::size_t column) {
  const float value = csv.real(column);
  if (value >= 0) return value;
  throw DataError(csv.place(column), fmt::format("weight {} is below 0", csv.field(column)));
}

float read_label(const CsvReader& csv, std::size_t column, const LabelRule& rule, double raw) {
  if (const auto label = rule.label(raw)) return *label;
  throw DataError(csv.place(column), LabelRule::refusal(raw));
}

// Appends up to `most` records, but for those that `keep` does not keep; false if there were none. Long ids end a piece
// sooner: a piece holds an id once for each of its rows.
bool append_records(CsvReader& csv, const LogColumns& columns, const LabelRule& rule, bool whole_ids,
                    const LogFilter& keep, std::size_t most, LogPiece& piece) {
  Rows& rows = piece.rows;
  for (std::size_t k = 0; k < most; ++k) {
    if (piece.users.long_ones().size() + piece.items.long_ones().size() > kMostLongIds) return true;
    if (!csv.next()) return k > 0;
    const double raw = csv.number(columns.label);
    if (keep && !keep(csv, raw)) {
      ++piece.filtered;
      continue;
    }
    rows.label.push_back(read_label(csv, columns.label, rule, raw));
    read_id(csv, columns.user, "user", whole_ids, piece.users);
    read_id(csv, columns.item, "item", whole_ids, piece.items);
    if (columns.propensity != kNone) rows.propensity.push_back(read_propensity(csv, columns.propensity));
    if (columns.weight != kNone) rows.weight.push_back(read_weight(csv, columns.weight));
    if (columns.timestamp != kNone) rows.timestamp.push_back(csv.whole(columns.timestamp));
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

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

void LogParams::describe(Params& p) {
  p("user_column", user_column, "column of the user's id: a name, or a number from 1 where there is no header");
  p("item_column", item_column, "column of the item's id");
  p("label_column", label_column, "column of the label, rating or count that the label is made of");
  p("propensity_column", propensity_column, "column of the chance that the pair was shown, if there is one");
  p("weight_column", weight_column, "column of the row's weight, if there is one");
  p("timestamp_column", timestamp_column, "column of the time as a whole number, if there is one");
  p("header", header, "whether the first line names the columns");
  p("separator", separator,
    "comma, tab, semicolon, space or any one character; auto: tab for .tsv, .data and .txt, else comma");
  p("positive_at_least", positive_at_least, "label 1 from this number on, else 0; empty: labels are 0 or 1 already");
  p("duplicates", duplicates, "which row to keep where a pair occurs more than once",
    one_of({"error", "first", "last"}));
}

char log_separator(const std::string& separator, const std::string& path) {
  constexpr std::array<std::pair<std::string_view, char>, 4> kNames{
      {{"comma", ','}, {"tab", '\t'}, {"semicolon", ';'}, {"space", ' '}}};
  for (const auto& [name, letter] : kNames) {
    if (separator == name) return letter;
  }
  if (separator == "auto") {
    std::string_view name = path;
    for (const std::string_view packed : {".gz", ".zst"}) {
      if (name.ends_with(packed)) name.remove_suffix(packed.size());
    }
    const std::size_t dot = name.rfind('.');
    const std::string_view extension = dot == std::string_view::npos ? "" : name.substr(dot);
    for (const std::string_view tabbed : {".tsv", ".data", ".txt"}) {
      if (same_ignoring_case(extension, tabbed)) return '\t';
    }
    return ',';
  }
  const bool usable = separator.size() == 1 && static_cast<unsigned char>(separator[0]) < 0x80 &&
                      std::string_view("\"\r\n\0", 4).find(separator[0]) == std::string_view::npos;
  if (usable) return separator[0];
  throw UsageError(fmt::format("separator: {} is none of auto, comma, tab, semicolon, space, or one character",
                               in_quotes(separator)));
}

void drop_duplicates(Log& log, Duplicates rule, const IdMap& users, const IdMap& items, Pool* pool) {
  const std::vector<RowNumber> gone =
      duplicate_rows(log.rows, same_pairs(log.rows, pool), rule, users, items, log.file, log.lines);
  log.duplicates_removed = static_cast<std::int64_t>(gone.size());
  log.rows.remove(gone, pool);
  log.lines.remove(gone);
}

Log read_records(CsvReader& csv, const LogColumns& columns, const LabelRule& rule, Duplicates duplicates,
                 bool whole_ids, IdMap& users, IdMap& items, const LogFilter& keep, Pool* pool) {
  Log log;
  log.file = csv.file();
  const ReadRecords read = [&](CsvReader& records, std::size_t most, LogPiece& piece) {
    return append_records(records, columns, rule, whole_ids, keep, most, piece);
  };
  read_in_pieces(csv, size_of_file(csv.file()), read, pool, log, users, items);
  expect_rows(csv, log.rows.size() + static_cast<std::size_t>(log.filtered));
  if (log.rows.empty()) throw DataError(Place{log.file}, fmt::format("all {} rows are left out", log.filtered));
  drop_duplicates(log, duplicates, users, items, pool);
  return log;
}

CsvFormat csv_format(const LogParams& params, const std::string& path) {
  return {log_separator(params.separator, path), params.header, params.quotes};
}

Log read_log(const std::string& path, const LogParams& params, IdMap& users, IdMap& items, const LogFilter& keep,
             Pool* pool) {
  LabelRule::parse(params.positive_at_least);  // what was asked for is looked at before the file
  parse_duplicates(params.duplicates);
  CsvReader csv(path, csv_format(params, path));
  return read_log(csv, params, users, items, keep, pool);
}

Log read_log(CsvReader& csv, const LogParams& params, IdMap& users, IdMap& items, const LogFilter& keep, Pool* pool) {
  const LabelRule rule = LabelRule::parse(params.positive_at_least);
  const Duplicates duplicates = parse_duplicates(params.duplicates);
  std::vector<std::string> unused;
  const LogColumns columns = find_columns(params, csv, unused);
  Log log = read_records(csv, columns, rule, duplicates, params.whole_ids, users, items, keep, pool);
  log.unused_columns = std::move(unused);
  return log;
}

}  // namespace equipoise
