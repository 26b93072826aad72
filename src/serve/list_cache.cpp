// A cache of lists by age and by use.
#include "serve/list_cache.h"

namespace equipoise {

ListCache::Hit ListCache::find(const Key& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return {nullptr, 0};
  const auto entry = found->second;
  const double age = std::chrono::duration<double>(Clock::now() - entry->made).count();
  if (age > seconds_) {
    places_.erase(found);
    entries_.erase(entry);
    return {nullptr, 0};
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return {&entry->ranked, age};
}

void ListCache::keep(const Key& key, std::vector<Recommended> ranked) {
  if (!on() || places_.contains(key)) return;
  entries_.push_front({key, Clock::now(), std::move(ranked)});
  places_[key] = entries_.begin();
  if (entries_.size() <= most_) return;
  places_.erase(entries_.back().key);
  entries_.pop_back();
}

void ListCache::clear() {
  places_.clear();
  entries_.clear();
}

}  // namespace equipoise
