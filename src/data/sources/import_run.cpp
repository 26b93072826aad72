// What importers share.
#include "data/sources/import_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/text.h"
#include "data/held_out_ids.h"
#include "data/positives.h"
#include "data/text/feature_table.h"
#include "data/text/log_files.h"
#include "data/text/log_parts.h"

namespace equipoise {

void ImportParams::describe(Params& p) {
  p("positive_at_least", positive_at_least, "a rating of this or more is a positive label");
  describe_without_label(p);
}

void ImportParams::describe_without_label(Params& p) {
  p("duplicates", duplicates, "where a pair occurs twice in a file: an error, or keep the first or the last row",
    one_of({"error", "first", "last"}));
  split.describe(p);
  p("seed", seed, "names every draw of the split");
}

std::string scale_error(const Scale& scale, double rating) {
  const bool on_scale = rating >= scale.low && rating <= scale.high && (!scale.whole || rating == std::floor(rating));
  if (on_scale) return "";
  return fmt::format("expected a {} from {} to {}{}, found {}", scale.whole ? "whole rating" : "rating",
                     to_text(scale.low), to_text(scale.high),
                     scale.dropped ? fmt::format(" (or {})", to_text(*scale.dropped)) : "", to_text(rating));
}

LogParams log_columns(const std::array<std::string, 4>& columns, const std::string& separator, bool header) {
  LogParams params;
  params.user_column = columns[0];
  params.item_column = columns[1];
  params.label_column = columns[2];
  params.timestamp_column = columns[3];
  params.separator = separator;
  params.header = header;
  params.quotes = header;
  params.lenient = false;
  return params;
}

ImportRun::ImportRun(std::string source, std::uint64_t seed, Pool* pool) : seed_(seed), pool_(pool) {
  data.name = source;
  data.provenance["source"] = std::move(source);
}

Rows ImportRun::read(const std::string& path, const LogFormat& format, const ImportParams& params) {
  LabelRule::parse(params.positive_at_least);
  CsvReader csv(path, csv_format(format.columns, path));
  return read(csv, format, params);
}

Rows ImportRun::read(CsvReader& csv, const LogFormat& format, const ImportParams& params) {
  LogParams columns = format.columns;
  columns.positive_at_least = params.positive_at_least;
  columns.duplicates = params.duplicates;
  return read(csv, columns, [&](const CsvReader& record, double rating) {
    if (format.width != 0 && record.width() != format.width) {
      throw DataError({record.file(), record.line()},
                      fmt::format("expected {} columns, found {}", format.width, record.width()));
    }
    if (!format.scale) return true;
    if (format.scale->dropped == rating) return false;
    if (const std::string error = scale_error(*format.scale, rating); !error.empty()) {
      const auto column = columns.header ? record.column(columns.label_column)
                                         : static_cast<std::size_t>(parse_int(columns.label_column).value() - 1);
      throw DataError(record.place(column), error);
    }
    return true;
  });
}

Rows ImportRun::read(const std::string& path, const LogParams& columns, const LogFilter& keep) {
  Log log = read_log(path, columns, data.users, data.items, keep, pool_);
  say_unused(log, columns);
  return add(std::move(log));
}

void ImportRun::say_unused(const Log& log, const LogParams& columns) {
  if (!columns.lenient || log.unused_columns.empty()) return;
  note(fmt::format("{}: no use is made of column{} {}", log.file, log.unused_columns.size() == 1 ? "" : "s",
                   join(log.unused_columns, ", ")));
}

Rows ImportRun::read_parts(const std::vector<std::string>& paths, const LogParams& columns, Ranks& ranks) {
  std::vector<std::string> files;
  if (ranks.first()) files = log_files(paths);  // a part that is on its reader's host alone is still in rank 0's list
  files = gather_all_texts(ranks, files);
  if (ranks.alone() && files.size() == 1) return read(files[0], columns);
  Log log = read_log_parts(files, paths[0], columns, data.users, data.items, pool_, ranks);
  say_unused(log, columns);
  return add(std::move(log));
}

Rows ImportRun::read(CsvReader& csv, const LogParams& columns, const LogFilter& keep) {
  return add(read_log(csv, columns, data.users, data.items, keep, pool_));
}

Rows ImportRun::read(const MemoryRows& rows, const LogParams& columns) {
  return add(read_log(rows, columns.label_rule(), parse_duplicates(columns.duplicates), data.users, data.items, pool_));
}

Rows ImportRun::add(Log log) {
  rows_read_ += static_cast<std::int64_t>(log.rows.size()) + log.filtered + log.duplicates_removed;
  dropped_ += log.filtered;
  duplicates_ += log.duplicates_removed;
  has_labels_ = has_labels_ && log.has_labels;
  add_names(std::move(log.item_names));
  adopt_requests(log, data.requests);
  return std::move(log.rows);
}

Rows ImportRun::without_duplicates(Rows rows, const std::string& duplicates, const std::string& files) {
  Log log;
  log.file = files;
  log.rows = std::move(rows);
  for (std::size_t r = 0; r < log.rows.size(); ++r) log.lines.push_back(static_cast<std::int64_t>(r) + 1);
  drop_duplicates(log, parse_duplicates(duplicates), data.users, data.items, pool_);
  duplicates_ += log.duplicates_removed;
  return std::move(log.rows);
}

void ImportRun::add_names(std::vector<std::string> names) {
  if (data.item_names.size() < names.size()) data.item_names.resize(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (data.item_names[k].empty()) data.item_names[k] = std::move(names[k]);
  }
}

namespace {

/// How many of 0 … size − 1 occur in none of the columns.
std::int64_t without_rows(std::int32_t size, std::initializer_list<const std::vector<std::int32_t>*> columns) {
  std::vector<bool> seen(static_cast<std::size_t>(size));
  for (const auto* column : columns) {
    for (const std::int32_t k : *column) seen[static_cast<std::size_t>(k)] = true;
  }
  return std::count(seen.begin(), seen.end(), false);
}

}  // namespace

Dataset ImportRun::finish(Rows log, const Rows& unbiased, const SplitParams& params, const std::string& label_rule) {
  return finish(make_parts(std::move(log), unbiased, params, seed_), params.keep_leaks, label_rule);
}

Dataset ImportRun::finish(Parts parts, bool keep_leaks, const std::string& label_rule) {
  data.provenance["label_rule"] = has_labels_ ? label_rule : "every row is a positive (no label column)";
  set_parts(data, std::move(parts), keep_leaks);
  settle_requests(data);
  data.provenance["seed"] = seed_;
  data.provenance["rows_read"] = rows_read_;
  data.provenance["rows_dropped"] = dropped_;
  data.provenance["duplicates_removed"] = duplicates_;
  const auto users = without_rows(data.users.size(), {&data.train.user, &data.valid.user, &data.test.user});
  const auto items = without_rows(data.items.size(), {&data.train.item, &data.valid.item, &data.test.item});
  if (users > 0) data.provenance["users_without_rows"] = users;
  if (items > 0) data.provenance["items_without_rows"] = items;
  pad_features(data.user_features, data.users.size());
  pad_features(data.item_features, data.items.size());
  if (!data.item_names.empty()) data.item_names.resize(static_cast<std::size_t>(data.items.size()));
  put_held_out_last(data, listed_users, listed_items);
  mark_positives(
      data, has_labels_ ? fmt::format("every label of train is 1 ({})", label_rule) : "the log has no label column");
  warn_of_identifiers(data.user_features, "user");
  warn_of_identifiers(data.item_features, "item");
  return std::move(data);
}

const std::string& only_path(const std::vector<std::string>& paths, const std::string& expected) {
  if (paths.size() != 1) throw UsageError(fmt::format("{} paths given, expected one: {}", paths.size(), expected));
  return paths.front();
}

std::string find_file(const std::string& path, const std::vector<std::string>& names) {
  if (!is_folder(path)) return path;
  for (const std::string& name : names) {
    for (const char* ending : {"", ".gz", ".zst"}) {
      std::string file = join_path(path, name + ending);
      if (file_exists(file)) return file;
    }
  }
  throw DataError({path}, fmt::format("expected a file {} in this folder", join(names, " or ")));
}

std::pair<std::string, std::string> find_two(const std::vector<std::string>& paths, const std::string& first,
                                             const std::string& second) {
  if (paths.size() == 2) return {paths[0], paths[1]};
  const std::string& folder = only_path(paths, fmt::format("a folder with {} and {}, or the two files", first, second));
  if (!is_folder(folder)) {
    throw DataError({folder},
                    fmt::format("not a folder; expected one with {} and {}, or the two files", first, second));
  }
  return {find_file(folder, {first}), find_file(folder, {second})};
}

}  // namespace equipoise
