// A rank's files read with numbers of its own; then everybody's ids in the order of the ranks, and everybody's rows.
#include "data/text/log_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/listener.h"
#include "data/text/file_share.h"

namespace equipoise {
namespace {

// Notes of how columns are read are said of the first file only.
class OnlyWarnings final : public Listener {
 public:
  explicit OnlyWarnings(Listener& to) : to_(to) {}
  void warn(std::string_view text) override { to_.warn(text); }
  bool wants_stop() override { return to_.wants_stop(); }

 private:
  Listener& to_;
};

// Which columns there are, in words: they must be the same in every part.
std::string columns_of(const Log& log) {
  std::string out = log.has_labels ? "label" : "no label";
  if (!log.rows.propensity.empty()) out += ", propensity";
  if (!log.rows.weight.empty()) out += ", weight";
  if (!log.rows.timestamp.empty()) out += ", timestamp";
  if (!log.rows.request.empty()) out += ", request";
  if (!log.rows.position.empty()) out += ", position";
  if (!log.item_names.empty()) out += ", item name";
  return out;
}

void check_columns(const std::string& file, const std::string& columns, const std::string& first_file,
                   const std::string& first) {
  if (columns == first) return;
  throw DataError(Place{file}, fmt::format("has {}, and {} has {}; the parts of a log have the same columns", columns,
                                           first_file, first));
}

void add_names(std::vector<std::string>& names, const std::vector<std::string>& more) {
  if (names.size() < more.size()) names.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) {
    if (names[k].empty()) names[k] = more[k];
  }
}

void append(Log& log, Log part) {
  adopt_requests(part, log.requests);
  log.parts.push_back({part.file, log.rows.size()});
  if (!part.rows.empty()) log.has_labels = part.has_labels;
  log.rows.append(part.rows);
  log.lines.append(part.lines, 0);
  add_names(log.item_names, part.item_names);
  log.filtered += part.filtered;
  log.missing += part.missing;
  if (log.unused_columns.empty()) log.unused_columns = std::move(part.unused_columns);
}

// Everybody's new ids after the first `known` ones, in the order of the ranks; the number of each own new one.
std::vector<std::int32_t> join_ids(IdMap& ids, std::int32_t known, Ranks& ranks) {
  const std::vector<std::string>& names = ids.names();
  const std::span<const std::string> own = std::span(names).subspan(static_cast<std::size_t>(known));
  const std::vector<std::string> all = gather_all_texts(ranks, own);
  IdMap joined(std::vector<std::string>(names.begin(), names.begin() + known));
  for (const std::string& name : all) joined.add(name);
  std::vector<std::int32_t> numbers;
  for (const std::string& name : own) numbers.push_back(joined.find(name));
  ids = std::move(joined);
  return numbers;
}

void renumber(std::vector<std::int32_t>& column, std::int32_t known, const std::vector<std::int32_t>& numbers) {
  for (std::int32_t& id : column) {
    if (id >= known) id = numbers[static_cast<std::size_t>(id - known)];
  }
}

std::int64_t sum_of(Ranks& ranks, std::int64_t mine) {
  std::int64_t sum = 0;
  for (const std::int64_t one : gather_all<std::int64_t>(ranks, std::span(&mine, 1))) sum += one;
  return sum;
}

// First to have a name for an item is who has it first in the log.
void join_item_names(Log& log, std::int32_t known, const std::vector<std::int32_t>& numbers, std::int32_t items,
                     Ranks& ranks) {
  std::vector<std::int32_t> named;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < log.item_names.size(); ++k) {
    if (log.item_names[k].empty()) continue;
    named.push_back(static_cast<std::int32_t>(k));
    names.push_back(std::move(log.item_names[k]));
  }
  renumber(named, known, numbers);
  named = gather_all<std::int32_t>(ranks, named);
  names = gather_all_texts(ranks, names);
  log.item_names.clear();
  if (!names.empty()) log.item_names.resize(static_cast<std::size_t>(items));
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string& name = log.item_names[static_cast<std::size_t>(named[k])];
    if (name.empty()) name = names[k];
  }
}

void join_places(Log& log, Ranks& ranks) {
  std::int64_t before = 0;
  const auto own = static_cast<std::int64_t>(log.rows.size());
  const std::vector<std::int64_t> rows = gather_all<std::int64_t>(ranks, std::span(&own, 1));
  for (int r = 0; r < ranks.rank(); ++r) before += rows[static_cast<std::size_t>(r)];
  std::vector<std::string> files;
  std::vector<std::int64_t> firsts;
  for (const LogPart& part : log.parts) {
    files.push_back(part.file);
    firsts.push_back(before + static_cast<std::int64_t>(part.first_row));
  }
  files = gather_all_texts(ranks, files);
  firsts = gather_all<std::int64_t>(ranks, firsts);
  log.parts.clear();
  for (std::size_t k = 0; k < files.size(); ++k) log.parts.push_back({files[k], static_cast<std::size_t>(firsts[k])});
  std::vector<LineNumbers::Run> runs = log.lines.runs();
  for (LineNumbers::Run& run : runs) run.row += static_cast<std::size_t>(before);
  log.lines = LineNumbers(gather_all<LineNumbers::Run>(ranks, runs), static_cast<std::size_t>(sum_of(ranks, own)));
}

void check_columns_of_all(const Log& log, const std::string& name, Ranks& ranks) {
  const std::vector<std::string> columns = gather_texts(ranks, log.rows.empty() ? "" : columns_of(log));
  const auto first = std::find_if(columns.begin(), columns.end(), [](const auto& text) { return !text.empty(); });
  for (std::size_t r = 0; r < columns.size(); ++r) {
    if (columns[r].empty()) continue;
    check_columns(fmt::format("{} ({})", name, ranks.name_of(static_cast<int>(r))), columns[r],
                  ranks.name_of(static_cast<int>(first - columns.begin())), *first);
  }
}

void join(Log& log, IdMap& users, std::int32_t known_users, IdMap& items, std::int32_t known_items, Ranks& ranks) {
  check_columns_of_all(log, log.file, ranks);
  renumber(log.rows.user, known_users, join_ids(users, known_users, ranks));
  const std::vector<std::int32_t> numbers = join_ids(items, known_items, ranks);
  renumber(log.rows.item, known_items, numbers);
  renumber(log.rows.request, 0, join_ids(log.requests, 0, ranks));
  join_item_names(log, known_items, numbers, items.size(), ranks);
  join_places(log, ranks);
  each_column(log.rows, [&](auto& column) {
    column = gather_all<typename std::remove_reference_t<decltype(column)>::value_type>(ranks, column);
  });
  log.filtered = sum_of(ranks, log.filtered);
  log.missing = sum_of(ranks, log.missing);
  log.has_labels = !ranks.any(!log.rows.empty() && !log.has_labels);
}

// Reads this rank's share of the lines of one file. False, with nothing read, where the file cannot be cut into lines
// before it is read, or something is wrong: whoever reads all of it knows where.
bool read_share(const std::string& file, const LogParams& params, IdMap& users, IdMap& items, Pool* pool, Ranks& ranks,
                Log& log) {
  if (params.encoding != "utf8" || ranks.any(!can_be_shared(file, ranks))) return false;
  IdMap own_users = users, own_items = items;
  ShareFacts facts;
  bool failed = false;
  try {
    const CsvReader beginning(file, csv_format(params, file));
    CsvReader csv(beginning, share_of_file(file, params.header ? 1 : 0, params.quotes, ranks, facts), 1);
    log = read_rows(csv, params, own_users, own_items, nullptr, pool);
  } catch (const DataError&) {
    failed = true;
  }
  const std::vector<std::int64_t> lines = gather_all<std::int64_t>(ranks, std::span(&facts.lines, 1));
  if (ranks.any(failed || facts.irregular)) return false;
  std::int64_t before = params.header ? 1 : 0;
  for (int r = 0; r < ranks.rank(); ++r) before += lines[static_cast<std::size_t>(r)];
  LineNumbers moved;
  moved.append(log.lines, before);
  log.lines = std::move(moved);
  log.parts = {{file, 0}};
  users = std::move(own_users);
  items = std::move(own_items);
  return true;
}

// Reads this rank's share of the files.
Log read_own_files(const std::vector<std::string>& files, const LogParams& params, IdMap& users, IdMap& items,
                   Pool* pool, const Ranks& ranks) {
  const Share own = share_of(std::ssize(files), ranks);
  OnlyWarnings quiet(listener());
  Log log;
  std::string columns, first;  // of the first file that has rows
  for (std::int64_t k = own.begin; k < own.end; ++k) {
    if (stop_requested()) throw Interrupted("interrupted while the log was read; nothing was written");
    const ListenerScope scope(k == 0 ? listener() : quiet);
    const std::string& file = files[static_cast<std::size_t>(k)];
    CsvReader csv(file, csv_format(params, file));
    Log part = read_rows(csv, params, users, items, nullptr, pool);
    if (!part.rows.empty()) {
      if (columns.empty()) columns = columns_of(part), first = file;
      check_columns(file, columns_of(part), first, columns);
    }
    append(log, std::move(part));
  }
  return log;
}

}  // namespace

Log read_log_parts(const std::vector<std::string>& files, const std::string& name, const LogParams& params,
                   IdMap& users, IdMap& items, Pool* pool, Ranks& ranks) {
  check_before_reading(params);
  const std::int32_t known_users = users.size(), known_items = items.size();
  Log log;
  if (ranks.alone() || files.size() > 1 || !read_share(files[0], params, users, items, pool, ranks, log)) {
    log = read_own_files(files, params, users, items, pool, ranks);
  }
  log.file = name;
  if (!ranks.alone()) join(log, users, known_users, items, known_items, ranks);
  finish_log(log, params, users, items, pool);
  return log;
}

}  // namespace equipoise
