// One trial: data, an arm and a setting in; a trained model's metrics out. The model itself is not kept.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "compare/store.h"

namespace equipoise {

/// The data of a plan's sources, each read or drawn once and then shared by trials.
class DataShelf {
 public:
  /// A folder's data is the same for every seed; a simulated log is drawn by it. May be called from several threads.
  const Dataset& get(const DataSource& source, std::uint64_t seed);

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::uint64_t>, std::unique_ptr<Dataset>> data_;
};

/// The searched settings train with the plan's seed, final run r with the r-th seed after it.
std::uint64_t trial_seed(const Plan& plan, const TrialKey& key);

/// Trains on one thread. Final runs are measured on the test part, searched ones see validation only. `epochs` is the
/// most there may be (0 = as the arm says). A trial that cannot be trained is one that failed, with the reason.
StoredTrial run_trial(const Plan& plan, const TrialKey& key, const Settings& chosen, int epochs, const Dataset& data);

}  // namespace equipoise
