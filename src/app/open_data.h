// The one way in for data: a data set's folder, or a log in a file or in parts, on all threads and by way of the cache.
#pragma once

#include <memory>
#include <string>

#include "data/dataset_cache.h"
#include "data/sources/importers.h"

namespace equipoise {

/// How data is read: the cache, and for a log in a file the parameters of the importer csv.
struct OpenParams {
  CacheParams cache;
  std::unique_ptr<Importer> csv = csv_importer();

  void describe(Params& p);
  /// What can be told of that path: a folder has no columns.
  void describe_for(const std::string& path, Params& p);
};

/// A log in parts is a folder without a data set in it, or a pattern (see log_files). Ranks share the reading of a log,
/// and read a data set's folder each; DataError unless all have the same data then.
Dataset open_data(const std::string& path, OpenParams& params, Pool& pool, Ranks& ranks = single_process());
/// Whether the path is a log that is split as it is read, and not a data set's folder.
bool is_log(const std::string& path);

/// Whether a parameter of an importer names a file: that is an input too.
bool names_file(const std::string& parameter);

/// As a folder, with other files beside it; the listener is told if a data set there is replaced.
void save_data(const Dataset& data, const std::string& folder, const std::vector<ExtraFile>& extra = {});

/// users, items, train, valid, test, positive shares, leaks_removed, fingerprint, provenance …
Json summarise(const Dataset& data);

}  // namespace equipoise
