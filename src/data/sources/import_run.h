// What importers share: common parameters, finding files, reading ratings of a scale, and the finished data set.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/params.h"
#include "core/ranks.h"
#include "data/dataset.h"
#include "data/memory.h"
#include "data/split.h"
#include "data/text/log_reader.h"

namespace equipoise {

/// The parameters of every source whose columns are known.
struct ImportParams {
  std::string positive_at_least = "3";
  std::string duplicates = "error";
  SplitParams split;
  std::uint64_t seed = 1;

  void describe(Params& p);
  /// For sources whose labels are 0 or 1 already.
  void describe_without_label(Params& p);
};

/// The values that a rating may have; `dropped` is the one that means "no rating".
struct Scale {
  double low;
  double high;
  std::optional<double> dropped;
  bool whole = false;  // only whole numbers
};
/// "a rating from 1 to 5"; "" if the number is one.
std::string scale_error(const Scale& scale, double rating);

/// How a source writes its log.
struct LogFormat {
  LogParams columns;  // all but the label rule and the duplicates rule
  std::optional<Scale> scale;
  std::size_t width = 0;  // columns of the file; 0 = its header says
};
/// User, item, label and timestamp ("" = none) by name, or by number from 1 where there is no header. Files without
/// one have no quotes either.
LogParams log_columns(const std::array<std::string, 4>& columns, const std::string& separator, bool header);

/// One import under way: counts what is read, and ends as a data set.
class ImportRun {
 public:
  ImportRun(std::string source, std::uint64_t seed, Pool* pool);

  /// A file of that format, by the label rule and the duplicates rule of `params`.
  Rows read(const std::string& path, const LogFormat& format, const ImportParams& params);
  /// Reads a file that is open already.
  Rows read(CsvReader& csv, const LogFormat& format, const ImportParams& params);
  /// Reads by the rules that `columns` names.
  Rows read(const std::string& path, const LogParams& columns, const LogFilter& keep = nullptr);
  Rows read(CsvReader& csv, const LogParams& columns, const LogFilter& keep = nullptr);
  /// Reads a log that lies in the files of those paths (see log_files), which ranks share.
  Rows read_parts(const std::vector<std::string>& paths, const LogParams& columns, Ranks& ranks);
  /// Rows that their holder has in memory.
  Rows read(const MemoryRows& rows, const LogParams& columns);
  /// Rows of several files together, without the pairs that more than one of them has.
  Rows without_duplicates(Rows rows, const std::string& duplicates, const std::string& files);
  void count_rows(std::size_t rows) { rows_read_ += static_cast<std::int64_t>(rows); }
  /// Splits, frees train of leaks, pads features, numbers ids that only valid or test have last, writes the
  /// provenance, and marks a log of positives only.
  Dataset finish(Rows log, const Rows& unbiased, const SplitParams& params, const std::string& label_rule);
  Dataset finish(Parts parts, bool keep_leaks, const std::string& label_rule);

  Dataset data;
  /// What people call items, where the logs say; names that are there already stay.
  void add_names(std::vector<std::string> names);
  /// By number: the ids that a catalogue of the source has, whatever rows they have.
  std::vector<bool> listed_users, listed_items;

 private:
  Rows add(Log log);
  static void say_unused(const Log& log, const LogParams& columns);

  std::uint64_t seed_;
  Pool* pool_;
  std::int64_t rows_read_ = 0;
  std::int64_t dropped_ = 0;
  std::int64_t duplicates_ = 0;
  bool has_labels_ = true;
};

/// The one path given; UsageError says what was expected.
const std::string& only_path(const std::vector<std::string>& paths, const std::string& expected);
/// A file as it is, or the first of `names` in the folder `path` (also as NAME.gz, NAME.zst); DataError if none is.
std::string find_file(const std::string& path, const std::vector<std::string>& names);
/// Two files as given, or `first` and `second` in the one folder given.
std::pair<std::string, std::string> find_two(const std::vector<std::string>& paths, const std::string& first,
                                             const std::string& second);

}  // namespace equipoise
