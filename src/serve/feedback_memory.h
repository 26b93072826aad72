// The newest feedback, in bounded memory: what counts in users' histories, and what has come before.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/asked.h"
#include "data/served/line.h"

namespace equipoise {

/// Any number of threads may call it at once.
class FeedbackMemory {
 public:
  explicit FeedbackMemory(std::size_t most) : most_(most) {}

  /// What a user made of items, the oldest first, and the number of the newest line that says so.
  struct Told {
    std::vector<Evidence> items;
    std::int64_t until = 0;
  };
  Told of(const std::string& user) const;

  struct Taken {
    std::size_t fresh = 0;     // how many have not come before with that label
    std::uint64_t ticket = 0;  // until which to wait; 0 = everything is durable already
    bool refused = false;      // the log would not have it
  };
  /// Sorts out what is new, and has it appended to the log: `append` sets the numbers of the lines and returns a
  /// ticket, or 0 where the log refuses. What comes again while its first line is still under way waits for that line.
  Taken take(std::span<const ServedFeedback> feedback,
             const std::function<std::uint64_t(std::span<ServedFeedback>)>& append);
  /// Lines up to the ticket are durable and count from now on, in the order of the log; or they were refused, and may
  /// come again.
  void progressed(std::uint64_t ticket, bool durable);
  /// Feedback of a log of before.
  void remember(std::span<const ServedFeedback> feedback);

  std::size_t size() const { return size_.load(std::memory_order_relaxed); }

 private:
  struct Known {
    float label;
    std::uint64_t ticket;  // 0 = durable
  };
  struct Entry {
    std::uint64_t key;
    std::string user;
  };
  struct UnderWay {
    std::uint64_t ticket;
    std::vector<ServedFeedback> fresh;
  };
  void remember_locked(const ServedFeedback& one);
  void drop_oldest();

  std::size_t most_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Known> known_;  // by request and item
  struct OfUser {
    std::deque<Evidence> items;
    std::int64_t until = 0;
  };
  std::unordered_map<std::string, OfUser> users_;
  std::deque<UnderWay> under_way_;  // in the order of the log
  std::deque<Entry> order_;         // the oldest first
  std::atomic<std::size_t> size_{0};
};

/// Reads the newest feedback of a log's files, as much as fits, from at most so many bytes of the newest files (or from
/// the last file). Warns of files that were left out.
void restore_feedback(const std::string& folder, std::size_t most, std::uint64_t most_bytes, FeedbackMemory& memory);

}  // namespace equipoise
