// Rank 0's side of a plan over ranks: it hands trials to whoever asks and takes what came of them.
#pragma once

#include <atomic>
#include <deque>
#include <functional>

#include "compare/trial_letters.h"
#include "core/ranks.h"

namespace equipoise {

class TrialDealer {
 public:
  explicit TrialDealer(Ranks& ranks) : ranks_(ranks) {}

  /// Until the queue is empty and no other rank has a trial of it, or `stopped` says so. `began` is told of every trial
  /// that is handed out, `ended` gets what came of it; both on the calling thread, which is the one of the ranks.
  void deal(TrialQueue& queue, const std::atomic<bool>& stopped, const std::function<void(const Job&)>& began,
            const std::function<void(const TrialReport&)>& ended);
  /// Tells the other ranks that there are no more trials.
  void dismiss();

 private:
  Ranks& ranks_;
  std::deque<int> waiting_;  // ranks that asked for a trial when there was none
};

/// The side of the other ranks: runs trials that rank 0 hands out, `workers` at a time, until it has no more.
void run_dealt_trials(Ranks& ranks, int workers, const std::function<StoredTrial(const Job&)>& run);

}  // namespace equipoise
