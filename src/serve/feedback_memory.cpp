// Feedback that is remembered.
#include "serve/feedback_memory.h"

#include <algorithm>

#include "core/hash.h"
#include "data/served/files.h"

namespace equipoise {

namespace {

// The request's id has no control characters, so that no two pairs look alike.
std::uint64_t key_of(const ServedFeedback& one) { return hash64(one.request + '\n' + one.item, process_secret()[0]); }

}  // namespace

std::vector<FeedbackMemory::Evidence> FeedbackMemory::of(const std::string& user) const {
  if (size() == 0 || user.empty()) return {};
  const std::lock_guard lock(mutex_);
  const auto found = users_.find(user);
  return found == users_.end() ? std::vector<Evidence>{}
                               : std::vector<Evidence>(found->second.begin(), found->second.end());
}

FeedbackMemory::Taken FeedbackMemory::take(
    std::span<const ServedFeedback> feedback,
    const std::function<std::uint64_t(std::span<const ServedFeedback>)>& append) {
  Taken out;
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
    out.fresh.push_back(one);
  }
  if (out.fresh.empty()) return out;
  const std::uint64_t ticket = append(out.fresh);
  out.refused = ticket == 0;
  if (out.refused) return out;
  out.ticket = std::max(out.ticket, ticket);
  for (const ServedFeedback& one : out.fresh) known_[key_of(one)] = {static_cast<float>(one.label), ticket};
  return out;
}

void FeedbackMemory::confirm(std::span<const ServedFeedback> fresh) {
  const std::lock_guard lock(mutex_);
  for (const ServedFeedback& one : fresh) {
    const std::uint64_t key = key_of(one);
    known_[key] = {static_cast<float>(one.label), 0};
    if (!one.user.empty()) users_[one.user].push_back({one.item, static_cast<float>(one.label)});
    order_.push_back({key, one.user});
    while (order_.size() > most_) drop_oldest();
  }
  size_.store(order_.size(), std::memory_order_relaxed);
}

void FeedbackMemory::drop_oldest() {
  const Entry oldest = std::move(order_.front());
  order_.pop_front();
  known_.erase(oldest.key);
  const auto user = users_.find(oldest.user);
  if (user == users_.end()) return;
  user->second.pop_front();
  if (user->second.empty()) users_.erase(user);
}

void FeedbackMemory::forget(std::span<const ServedFeedback> fresh) {
  const std::lock_guard lock(mutex_);
  for (const ServedFeedback& one : fresh) known_.erase(key_of(one));
}

// From the newest file back, until there is enough; then in the order in which it came.
void restore_feedback(const std::string& folder, std::size_t most, FeedbackMemory& memory) {
  std::vector<std::vector<ServedFeedback>> files;
  std::size_t found = 0;
  const std::vector<ServedFile> all = served_files(folder);
  for (std::size_t f = all.size(); f-- > 0 && found < most;) {
    files.emplace_back();
    each_served_line(all[f].path, [&](std::string_view line, std::int64_t number) {
      if (!is_feedback_line(line) || !is_whole_line(line)) return;
      files.back().push_back(*parse_line(line, all[f].path, number).feedback);
    });
    found += files.back().size();
  }
  for (std::size_t f = files.size(); f-- > 0;) memory.confirm(files[f]);
}

}  // namespace equipoise
