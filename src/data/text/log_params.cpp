// The parameters of a log in a file.
#include "data/text/log_params.h"

#include "core/error.h"
#include "data/text/separator.h"

namespace equipoise {

void LogParams::describe(Params& p) {
  p("user_column", user_column, "column of the user's id: a name, or a number from 1 where there is no header");
  p("item_column", item_column, "column of the item's id");
  p("label_column", label_column,
    "column of the label, rating or count that the label is made of; none: there is none, and every row is a positive; "
    "auto: the column label, or none where nothing looks like one");
  p("propensity_column", propensity_column, "column of the chance that the pair was shown, if there is one");
  p("weight_column", weight_column, "column of the row's weight, if there is one");
  p("timestamp_column", timestamp_column,
    "column of the time, if there is one: a number, 2023-05-04 or 2023-05-04T10:11:12Z; empty: a column called "
    "timestamp, if there is one; none: there is none");
  p("time_column", time_column, "another name of timestamp_column");
  p("request_column", request_column,
    "column of the list's id, if there is one; a pair may then occur again in another list");
  p("position_column", position_column, "column of the item's position in its list, from 1, if there is one");
  p("propensity_at_position_column", propensity_at_position_column,
    "column of the chance that the item was at its position, whatever was above it, if there is one");
  p("propensity_given_above_column", propensity_given_above_column,
    "column of the chance that the item was at its position, given the items above it, if there is one");
  p("eligible_column", eligible_column, "column of how many items the list could have shown, if there is one");
  p("item_name_column", item_name_column,
    "column of what people call the item, in the log or in the file of item features; lists show it");
  p("header", header, "whether the first line names the columns");
  p("separator", separator,
    "comma, tab, semicolon, pipe, space or any one character; auto: comma, tab, semicolon or pipe, as the first line "
    "shows");
  p("encoding", encoding, "how letters are written: utf8, latin1 (Windows-1252) or utf16",
    one_of({"utf8", "latin1", "utf16"}));
  p("decimal", decimal, "what is before the fraction of a number: point (3.5) or comma (3,5)",
    one_of({"point", "comma"}));
  p("missing", missing,
    "a row without user, item, label or another column that has a role: an error, or drop it; drop skips blank lines "
    "too",
    one_of({"error", "drop"}));
  p("positive_at_least", positive_at_least, "label 1 from this number on, else 0; empty: labels are 0 or 1 already");
  p("positive", positive, "texts (yes,true,1) in the label column that are positive; all others are negative");
  p("duplicates", duplicates,
    "which row to keep where a pair occurs more than once; auto: the first where every label is 1, as of clicks, else "
    "an error",
    one_of({"auto", "error", "first", "last"}));
}

const std::string& LogParams::time() const {
  if (timestamp_column.empty()) return time_column;
  if (!time_column.empty() && time_column != timestamp_column) {
    throw UsageError("time_column: is another name of timestamp_column, which names another column");
  }
  return timestamp_column;
}

CsvFormat csv_format(const LogParams& params, const std::string& path) {
  CsvFormat format{log_separator(params.separator, path), params.header, params.quotes};
  format.lenient = params.lenient;
  format.find_separator = params.separator == "auto";
  format.skip_blank = params.missing == "drop";
  format.encoding = parse_encoding(params.encoding);
  return format;
}

CsvFormat table_format(const LogParams& params, const std::string& path) {
  CsvFormat format = csv_format(params, path);
  format.header = true;
  return format;
}

}  // namespace equipoise
