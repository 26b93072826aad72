// The trials that are still to run, the longest first, so that no worker ends alone with one.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/store.h"

namespace equipoise {

struct Job {
  TrialKey key;
  Settings settings;
  int epochs = 0;
};

/// What is run does not depend on the order, so the trials that are likely to take longest go first: an arm's take as
/// long as its longest one so far. One of each arm that nobody has timed goes before all others. Safe on any thread.
class TrialQueue {
 public:
  explicit TrialQueue(std::vector<Job> jobs) : jobs_(std::move(jobs)) {}

  /// How long a trial took.
  void took(const TrialKey& key, double seconds);
  /// The next trial, or nothing if there is none.
  std::optional<Job> next();
  bool empty();
  /// From now on there is none.
  void close();

 private:
  using Cell = std::pair<std::string, std::string>;  // source, arm
  static Cell cell(const TrialKey& key) { return {key.source, key.arm}; }

  std::mutex mutex_;
  std::vector<Job> jobs_;           // still to run, in the order of the plan
  std::map<Cell, double> longest_;  // of the arms that were begun
};

}  // namespace equipoise
