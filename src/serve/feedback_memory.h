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

#include "data/served/line.h"

namespace equipoise {

/// Any number of threads may call it at once.
class FeedbackMemory {
 public:
  explicit FeedbackMemory(std::size_t most) : most_(most) {}

  struct Evidence {
    std::string item;
    float label;
  };
  /// What a user made of items, the oldest first.
  std::vector<Evidence> of(const std::string& user) const;

  struct Taken {
    std::vector<ServedFeedback> fresh;  // what has not come before with that label
    std::uint64_t ticket = 0;           // until which to wait; 0 = everything is durable already
    bool refused = false;               // the log would not have it
  };
  /// Sorts out what is new, and has it appended to the log: `append` returns a ticket, or 0 where the log refuses. What
  /// comes again while its first line is still under way waits for that line.
  Taken take(std::span<const ServedFeedback> feedback,
             const std::function<std::uint64_t(std::span<const ServedFeedback>)>& append);
  /// The lines of these are durable: from now on they count. Also for what a log of before says.
  void confirm(std::span<const ServedFeedback> fresh);
  /// They did not become durable: they may come again.
  void forget(std::span<const ServedFeedback> fresh);

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
  void drop_oldest();

  std::size_t most_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Known> known_;  // by request and item
  std::unordered_map<std::string, std::deque<Evidence>> users_;
  std::deque<Entry> order_;  // the oldest first
  std::atomic<std::size_t> size_{0};
};

/// Reads the newest feedback of a log's files, as much as fits.
void restore_feedback(const std::string& folder, std::size_t most, FeedbackMemory& memory);

}  // namespace equipoise
