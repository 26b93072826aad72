// Feedback that is remembered.
#include "serve/feedback_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/hash.h"
#include "core/listener.h"
#include "core/text.h"
#include "data/served/files.h"

namespace equipoise {

namespace {

// The request's id has no control characters, so that no two pairs look alike.
std::uint64_t key_of(const ServedFeedback& one) { return hash64(one.request + '\n' + one.item, process_secret()[0]); }

}  // namespace

FeedbackMemory::Told FeedbackMemory::of(const std::string& user) const {
  if (size() == 0 || user.empty()) return {};
  const std::lock_guard lock(mutex_);
  const auto found = users_.find(user);
  if (found == users_.end()) return {};
  const auto& [items, until] = found->second;
  return {{items.begin(), items.end()}, until};
}

FeedbackMemory::Taken FeedbackMemory::take(std::span<const ServedFeedback> feedback,
                                           const std::function<std::uint64_t(std::span<ServedFeedback>)>& append) {
  Taken out;
  std::vector<ServedFeedback> fresh;
  const std::lock_guard lock(mutex_);
  std::unordered_map<std::uint64_t, float> here;  // of this call
  for (const ServedFeedback& one : feedback) {
    const std::uint64_t key = key_of(one);
    const auto label = static_cast<float>(one.label);
    const auto again = here.find(key);
    if (again != here.end() && again->second == label) continue;
    const auto known = again == here.end() ? known_.find(key) : known_.end();
    if (known != known_.end() && known->second.label == label) {
      out.ticket = std::max(out.ticket, known->second.ticket);
      continue;
    }
    here[key] = label;
    fresh.push_back(one);
  }
  out.fresh = fresh.size();
  if (fresh.empty()) return out;
  const std::uint64_t ticket = append(fresh);
  out.refused = ticket == 0;
  if (out.refused) return out;
  out.ticket = std::max(out.ticket, ticket);
  for (const ServedFeedback& one : fresh) known_[key_of(one)] = {static_cast<float>(one.label), ticket};
  under_way_.push_back({ticket, std::move(fresh)});
  return out;
}

void FeedbackMemory::progressed(std::uint64_t ticket, bool durable) {
  const std::lock_guard lock(mutex_);
  for (; !under_way_.empty() && under_way_.front().ticket <= ticket; under_way_.pop_front()) {
    for (const ServedFeedback& one : under_way_.front().fresh) {
      if (durable)
        remember_locked(one);
      else
        known_.erase(key_of(one));
    }
  }
}

void FeedbackMemory::remember(std::span<const ServedFeedback> feedback) {
  const std::lock_guard lock(mutex_);
  for (const ServedFeedback& one : feedback) remember_locked(one);
}

void FeedbackMemory::remember_locked(const ServedFeedback& one) {
  const std::uint64_t key = key_of(one);
  known_[key] = {static_cast<float>(one.label), 0};
  if (!one.user.empty()) {
    auto& [items, until] = users_[one.user];
    items.push_back({one.item, static_cast<float>(one.label)});
    until = one.number;
  }
  order_.push_back({key, one.user});
  while (order_.size() > most_) drop_oldest();
  size_.store(order_.size(), std::memory_order_relaxed);
}

void FeedbackMemory::drop_oldest() {
  const Entry oldest = std::move(order_.front());
  order_.pop_front();
  known_.erase(oldest.key);
  const auto user = users_.find(oldest.user);
  if (user == users_.end()) return;
  user->second.items.pop_front();
  if (user->second.items.empty()) users_.erase(user);
}

// From the newest file back, until there is enough; then in the order in which it came.
void restore_feedback(const std::string& folder, std::size_t most, std::uint64_t most_bytes, FeedbackMemory& memory) {
  std::vector<std::vector<ServedFeedback>> files;
  std::size_t found = 0;
  const std::vector<ServedFile> newest = newest_served_files(folder, most_bytes);
  for (std::size_t f = newest.size(); f-- > 0 && found < most;) {
    files.emplace_back();
    each_served_line(newest[f].path, [&](std::string_view line, std::int64_t at) {
      if (!is_feedback_line(line) || !is_whole_line(line)) return;
      const ServedLine parsed = parse_line(line, newest[f].path, at);
      files.back().push_back(*parsed.feedback);
      files.back().back().number = parsed.number;
    });
    found += files.back().size();
  }
  const std::size_t older = served_files(folder).size() - newest.size();
  if (found < most && older > 0) {
    warn(fmt::format("{}: the oldest {} files were not read again (remember_mb): feedback in them counts in no history",
                     folder, thousands(static_cast<std::int64_t>(older))));
  }
  for (std::size_t f = files.size(); f-- > 0;) memory.remember(files[f]);
}

}  // namespace equipoise
