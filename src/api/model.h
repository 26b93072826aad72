// What is behind a public model: the frozen recommender, and worker threads that one call at a time may have.
#pragma once

#include <atomic>

#include "equipoise/equipoise.h"
#include "recommender/recommender.h"

namespace equipoise {

struct Model::Hidden {
  Hidden(std::unique_ptr<Pool> workers, std::unique_ptr<const Recommender> frozen)
      : recommender(std::move(frozen)), pool(std::move(workers)) {}

  std::unique_ptr<const Recommender> recommender;
  std::unique_ptr<Pool> pool;
  mutable std::atomic_flag taken;
};

/// The model's worker threads for one call, or the caller's own where another call has them: nobody waits.
class WorkersOf {
 public:
  explicit WorkersOf(const std::unique_ptr<Pool>& pool, std::atomic_flag& taken)
      : taken_(taken.test_and_set(std::memory_order_acquire) ? nullptr : &taken),
        pool_(taken_ != nullptr ? *pool : one_thread()) {}
  ~WorkersOf() {
    if (taken_ != nullptr) taken_->clear(std::memory_order_release);
  }
  WorkersOf(const WorkersOf&) = delete;
  WorkersOf& operator=(const WorkersOf&) = delete;
  Pool& pool() const { return pool_; }

 private:
  std::atomic_flag* taken_;
  Pool& pool_;
};

}  // namespace equipoise
