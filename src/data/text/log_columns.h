// Finds which column of a log's file has which role.
#pragma once

#include <string>
#include <vector>

#include "data/text/csv.h"
#include "data/text/log_params.h"

namespace equipoise {

/// Column numbers from 0; npos = there is none.
struct LogColumns {
  std::size_t user = CsvReader::npos;
  std::size_t item = CsvReader::npos;
  std::size_t label = CsvReader::npos;  // npos: every row is a positive
  std::size_t propensity = CsvReader::npos;
  std::size_t weight = CsvReader::npos;
  std::size_t timestamp = CsvReader::npos;
  std::size_t request = CsvReader::npos;
  std::size_t position = CsvReader::npos;
  std::size_t at_position = CsvReader::npos;
  std::size_t given_above = CsvReader::npos;
  std::size_t eligible = CsvReader::npos;
  std::size_t item_name = CsvReader::npos;
  bool padded = false;  // the header has spaces around its names, and so may have the fields
};

/// By their exact names, or by names that differ in case and in spaces around them alone. DataError if a column is not
/// there, UsageError if it has two roles. Columns without a role go to `unused`. The name of items may be missing: a
/// table of items may have it.
LogColumns find_columns(const LogParams& params, const CsvReader& csv, std::vector<std::string>& unused);

/// The column of that name, exactly or but for case and spaces around it; npos if there is none. DataError that names
/// the parameter if there are several.
std::size_t find_loosely(const CsvReader& csv, const std::string& name, const char* parameter);

}  // namespace equipoise
