// Values of the served models from the served log: computed beside the serving when asked for, kept with their age.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "core/json.h"
#include "core/stopwatch.h"
#include "policy/policy.h"
#include "serve/models.h"

namespace equipoise {

class ValueBoard {
 public:
  /// `log`: its folder. Models are judged as if each alone made the lists, drawn by `policy`.
  ValueBoard(std::string log, Policy policy) : log_(std::move(log)), policy_(policy) {}

  /// state (none, computing, ready, refused), age and seconds of what was found, the verdict, the values.
  Json answer() const;
  /// Begins to compute, unless that is under way.
  void ask(std::shared_ptr<const ModelTable> models);
  /// Computes for those who ask, on the thread that calls.
  void work_until_stopped();
  void stop();

 private:
  Json compute(const ModelTable& models) const;

  const std::string log_;
  const Policy policy_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const ModelTable> asked_;  // nullptr = nobody waits
  bool computing_ = false;
  std::atomic<bool> stopped_{false};
  Json found_;  // null = nothing yet
  Stopwatch since_;
  double seconds_ = 0;
};

}  // namespace equipoise
