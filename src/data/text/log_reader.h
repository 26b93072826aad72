// Reads one log file (CSV, TSV, compressed or not) into rows by column roles.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/params.h"
#include "data/dataset.h"
#include "data/pairs.h"
#include "data/text/csv.h"
#include "data/text/labels.h"
#include "data/text/line_numbers.h"

namespace equipoise {

/// Which column is what, how the file is written, and what makes a label.
/// A column is a name where the file has a header, else its number from 1; "" means that there is none.
struct LogParams {
  std::string user_column = "user";
  std::string item_column = "item";
  std::string label_column = "label";
  std::string propensity_column;
  std::string weight_column;
  std::string timestamp_column;
  bool header = true;
  std::string separator = "auto";  // auto (by the file's name) | comma | tab | semicolon | any one character
  std::string positive_at_least;   // see LabelRule::parse
  std::string duplicates = "error";
  bool whole_ids = false;  // ids are whole numbers, perhaps written 2.0, and are kept as "2"; not a flag
  bool quotes = true;      // '"' at the beginning of a field opens a quoted field; not a flag

  void describe(Params& p);
};

/// What a log file held. `lines[r]` is where row r began.
struct Log {
  std::string file;
  Rows rows;
  LineNumbers lines;
  std::int64_t filtered = 0;                // rows that the filter left out
  std::int64_t duplicates_removed = 0;      // rows that `duplicates = first | last` left out
  std::vector<std::string> unused_columns;  // columns of the header that have no role

  Place place(std::size_t row) const { return {file, lines[row], 0}; }
};

/// Whether to keep the record; sees all its fields and the raw label. Ids of records left out are not added.
using LogFilter = std::function<bool(const CsvReader& record, double raw)>;

/// New ids go to the end of `users` and `items` in the order of their appearance. DataError with the place on anything
/// that is not as the roles say, and on a file without rows. With a pool the work is spread, and the result the same;
/// `keep` is then called by several threads at once.
Log read_log(const std::string& path, const LogParams& params, IdMap& users, IdMap& items,
             const LogFilter& keep = nullptr, Pool* pool = nullptr);

/// Reads a file that is open already, as `csv_format` says.
Log read_log(CsvReader& csv, const LogParams& params, IdMap& users, IdMap& items, const LogFilter& keep = nullptr,
             Pool* pool = nullptr);
/// How a file of that name is written.
CsvFormat csv_format(const LogParams& params, const std::string& path);

/// Column numbers from 0; npos = there is none.
struct LogColumns {
  std::size_t user = CsvReader::npos;
  std::size_t item = CsvReader::npos;
  std::size_t label = CsvReader::npos;
  std::size_t propensity = CsvReader::npos;
  std::size_t weight = CsvReader::npos;
  std::size_t timestamp = CsvReader::npos;
};

/// What `read_log` does once the columns are known.
Log read_records(CsvReader& csv, const LogColumns& columns, const LabelRule& rule, Duplicates duplicates,
                 bool whole_ids, IdMap& users, IdMap& items, const LogFilter& keep = nullptr, Pool* pool = nullptr);

/// Takes out the rows of a log whose pair occurs more than once, by the rule.
void drop_duplicates(Log& log, Duplicates rule, const IdMap& users, const IdMap& items, Pool* pool);

/// The separator that `separator` means for a file of that name: .tsv, .data, .txt (also with .gz, .zst) are tabs.
char log_separator(const std::string& separator, const std::string& path);

}  // namespace equipoise
