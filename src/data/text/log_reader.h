// Reads one log file (CSV, TSV, compressed or not) into rows by column roles.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "data/dataset.h"
#include "data/pairs.h"
#include "data/text/csv.h"
#include "data/text/line_numbers.h"
#include "data/text/log_columns.h"
#include "data/text/log_params.h"

namespace equipoise {

/// A file of a log that lies in several, and the log's first row that is of it.
struct LogPart {
  std::string file;
  std::size_t first_row;
};

/// What a log file held. `lines[r]` is where row r began.
struct Log {
  std::string file;            // or what the files of `parts` are called together
  std::vector<LogPart> parts;  // none where there is one file
  bool in_memory = false;      // then `lines` are rows, from 1
  Rows rows;
  LineNumbers lines;
  bool has_labels = true;                   // else every row is a positive, because there is no column of labels
  IdMap requests;                           // of `rows.request`; the log's own
  std::vector<std::string> item_names;      // by item number, as far as there are any
  std::int64_t filtered = 0;                // rows that the filter left out, or in which something is missing
  std::int64_t missing = 0;                 // of these the latter
  std::int64_t duplicates_removed = 0;      // rows that `duplicates = first | last` left out
  std::vector<std::string> unused_columns;  // columns of the header that have no role

  /// As long as no row was taken out.
  Place place(std::size_t row) const;
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

/// The two halves of read_log. UsageError if the parameters make no sense, before any file is opened.
void check_before_reading(const LogParams& params);
/// Reads all rows, also those that are in the file twice; there may be none.
Log read_rows(CsvReader& csv, const LogParams& params, IdMap& users, IdMap& items, const LogFilter& keep, Pool* pool);
/// Checks the whole log, and takes out rows that `duplicates` does not keep.
void finish_log(Log& log, const LogParams& params, const IdMap& users, const IdMap& items, Pool* pool);

/// What makes rows of records.
struct RowRules {
  LabelRule label;
  bool whole_ids = false;
  bool drop_missing = false;
  bool decimal_comma = false;
  bool padded = false;   // fields may have spaces around them
  bool lenient = false;  // times may be dates, and errors name the parameters that help
};
/// What `read_log` does once the columns are known.
Log read_records(CsvReader& csv, const LogColumns& columns, const RowRules& rules, Duplicates duplicates, IdMap& users,
                 IdMap& items, const LogFilter& keep = nullptr, Pool* pool = nullptr);

/// Gives the log's requests their numbers among those of other logs.
void adopt_requests(Log& log, IdMap& requests);

/// Takes out the rows of a log whose pair occurs more than once (in one request, where there are requests), by the
/// rule.
void drop_duplicates(Log& log, Duplicates rule, const IdMap& users, const IdMap& items, Pool* pool);

}  // namespace equipoise
