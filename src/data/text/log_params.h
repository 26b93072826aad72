// The parameters of a log in a file: which column is what, how the file is written, and what makes a label.
#pragma once

#include <string>

#include "core/params.h"
#include "data/text/csv_records.h"
#include "data/text/labels.h"

namespace equipoise {

/// A column is a name where the file has a header, else its number from 1; "" means that there is none.
struct LogParams {
  std::string user_column = "user";
  std::string item_column = "item";
  std::string label_column = "auto";  // auto: "label" if there is such a column; none: every row is a positive
  std::string propensity_column;
  std::string weight_column;
  std::string timestamp_column;
  std::string time_column;  // another name of timestamp_column
  std::string request_column;
  std::string position_column;
  std::string propensity_at_position_column;
  std::string propensity_given_above_column;
  std::string eligible_column;
  std::string item_name_column;
  bool header = true;
  std::string separator = "auto";  // auto (as the first line shows) | comma | tab | semicolon | … | any one character
  std::string encoding = "utf8";
  std::string decimal = "point";
  std::string missing = "error";
  std::string positive_at_least;  // see LabelRule::parse
  std::string positive;
  std::string duplicates = "auto";
  bool whole_ids = false;  // ids are whole numbers, perhaps written 2.0, and are kept as "2"; not a flag
  bool quotes = true;      // '"' at the beginning of a field opens a quoted field; not a flag
  bool lenient = true;     // see CsvFormat; off where a source's format is known; not a flag

  void describe(Params& p);
  /// The column of the time by either of its names. UsageError if both are given and differ.
  const std::string& time() const;
  LabelRule label_rule() const { return LabelRule::parse(positive_at_least, positive); }
  /// What the label is made of, for provenance.
  std::string label_name() const { return label_column == "auto" ? "label" : label_column; }
};

/// How a log file of that name is written.
CsvFormat csv_format(const LogParams& params, const std::string& path);
/// How a table of features beside the log is written: as the log is, but always with a header.
CsvFormat table_format(const LogParams& params, const std::string& path);

}  // namespace equipoise
