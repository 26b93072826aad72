// Handing out trials, the longest first.
#include "compare/trial_queue.h"

#include <algorithm>
#include <limits>

namespace equipoise {

void TrialQueue::took(const TrialKey& key, double seconds) {
  const std::lock_guard lock(mutex_);
  double& longest = longest_[cell(key)];
  longest = std::max(longest, seconds);
}

std::optional<Job> TrialQueue::next() {
  const std::lock_guard lock(mutex_);
  const auto likely = [&](const Job& job) {
    const auto found = longest_.find(cell(job.key));
    return found == longest_.end() ? std::numeric_limits<double>::infinity() : found->second;
  };
  const auto longest =
      std::max_element(jobs_.begin(), jobs_.end(), [&](const Job& a, const Job& b) { return likely(a) < likely(b); });
  if (longest == jobs_.end()) return {};
  longest_.try_emplace(cell(longest->key), 0.0);
  Job job = std::move(*longest);
  jobs_.erase(longest);
  return job;
}

bool TrialQueue::empty() {
  const std::lock_guard lock(mutex_);
  return jobs_.empty();
}

void TrialQueue::close() {
  const std::lock_guard lock(mutex_);
  jobs_.clear();
}

}  // namespace equipoise
