// A binary copy of a data set that was read from text, found again by the content of the text.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/params.h"
#include "data/dataset.h"

namespace equipoise {

/// Whether large inputs leave a copy that the next run starts from, and where.
struct CacheParams {
  bool cache = true;
  std::string cache_folder;
  double cache_from_mb = 32;
  double cache_gb = 20;

  void describe(Params& p);
  /// The folder: as given, or equipoise in $XDG_CACHE_HOME or ~/.cache; "" = nowhere.
  std::string folder() const;
};

class DatasetCache {
 public:
  /// For the data set that is made of those files by those settings. A key is a hash of every byte of the files, of
  /// the settings, of the format and of the program's version: what is changed is another key. Nothing is done where
  /// the cache is off, an input is no plain file, or the inputs are smaller than `cache_from_mb`.
  DatasetCache(const CacheParams& params, const std::vector<std::string>& files, const std::string& settings,
               Pool& pool);
  /// A copy whose key and place are known.
  DatasetCache(std::string key, std::string path, Pool& pool)
      : pool_(pool), key_(std::move(key)), path_(std::move(path)) {}

  /// Nothing if there is no copy, or one that is not exactly as it was written: each array is checked against its
  /// checksum, and its numbers against their ranges.
  std::optional<Dataset> load() const;
  /// Not where an input is another file than when its key was made. First the oldest copies go that are too many, and
  /// what killed processes left. A copy that cannot be written is a warning, never an error.
  void save(const Dataset& data) const;
  /// Where the copy is or would be; "" where the cache does nothing.
  const std::string& path() const { return path_; }

 private:
  void tidy() const;

  Pool& pool_;
  std::vector<std::string> files_;
  std::string state_;  // of the files, before they were hashed
  double most_bytes_ = std::numeric_limits<double>::infinity();
  std::string key_;
  std::string path_;
};

/// `read_dataset` on all threads, by way of the cache.
Dataset load_dataset(const std::string& folder, const CacheParams& params, Pool& pool);
/// The copy that `load_dataset` would start from; "" if there is none.
std::string cached_copy(const std::string& folder, const CacheParams& params, Pool& pool);
/// Caches any other way to read: `read` is called where there is no copy.
Dataset load_cached(const CacheParams& params, const std::vector<std::string>& files, const std::string& settings,
                    Pool& pool, FunctionRef<Dataset()> read);

}  // namespace equipoise
