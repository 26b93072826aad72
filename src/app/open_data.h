// The one way in for data: a data set's folder, or a log in a file, on all threads and by way of the cache.
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

Dataset open_data(const std::string& path, OpenParams& params, Pool& pool);

/// Whether a parameter of an importer names a file: that is an input too.
bool names_file(const std::string& parameter);

/// As a folder, with other files beside it; the listener is told if a data set there is replaced.
void save_data(const Dataset& data, const std::string& folder, const std::vector<ExtraFile>& extra = {});

/// users, items, train, valid, test, positive shares, leaks_removed, fingerprint, provenance …
Json summarise(const Dataset& data);

}  // namespace equipoise
