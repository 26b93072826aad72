// The data of a plan's sources, each read or drawn once and then shared by trials.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "compare/plan.h"
#include "data/dataset_cache.h"

namespace equipoise {

class DataShelf {
 public:
  /// Folders are read by way of the cache. May be called from several threads once all folders have been read.
  DataShelf(const CacheParams& cache, Pool& pool) : cache_(cache), pool_(pool) {}

  /// A folder's data, read at the first call.
  const Dataset& folder(const std::string& path);
  /// Data that its caller holds, for sources of its fingerprint without a folder.
  void put(std::shared_ptr<const Dataset> data);
  /// A folder's data is the same for every seed; a simulated log, exposure over a matrix, and the share of a log's rows
  /// that is kept, are drawn by it.
  const Dataset& get(const DataSource& source, std::uint64_t seed);
  /// The same data without its test part, for methods that others wrote.
  std::shared_ptr<const Dataset> without_test(const DataSource& source, std::uint64_t seed);

 private:
  static std::pair<std::string, std::uint64_t> key_of(const DataSource& source, std::uint64_t seed);
  std::shared_ptr<const Dataset> whole(const DataSource& source, std::uint64_t seed);
  /// As it was read, or given.
  std::shared_ptr<const Dataset> kept(const DataSource& source);

  const CacheParams cache_;
  Pool& pool_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Dataset>> folders_, given_;
  using BySeed = std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<const Dataset>>;  // source and seed
  BySeed data_, untested_;
};

}  // namespace equipoise
