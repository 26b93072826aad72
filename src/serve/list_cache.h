// Lists that were made lately, of users as the model knows them; one cache a thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "recommender/scorer.h"
#include "serve/models.h"

namespace equipoise {

class ListCache {
 public:
  using Clock = std::chrono::steady_clock;
  struct Key {
    const ServedModel* model;
    std::int32_t user;
    std::uint32_t length;
    bool include_seen;
    bool operator==(const Key&) const = default;
  };
  struct Hit {
    const std::vector<Recommended>* ranked;
    double age;  // in seconds
  };

  /// Lists are kept for so many seconds, 0 = not at all; the one asked for longest ago goes first where there are more
  /// than `most`.
  ListCache(double seconds, std::size_t most) : seconds_(seconds), most_(most) {}

  bool on() const { return seconds_ > 0; }
  /// nullptr in `ranked` if there is none that is young enough.
  Hit find(const Key& key);
  void keep(const Key& key, std::vector<Recommended> ranked);
  /// Models have changed: what there is belongs to those of before.
  void clear();
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Key key;
    Clock::time_point made;
    std::vector<Recommended> ranked;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::uint64_t>()((static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.user)) << 32 ^
                                         static_cast<std::uint64_t>(key.length) << 1 ^ (key.include_seen ? 1U : 0U)) *
                                            0x9E3779B97F4A7C15U ^
                                        reinterpret_cast<std::uintptr_t>(key.model));
    }
  };

  double seconds_;
  std::size_t most_;
  std::list<Entry> entries_;  // the one asked for last is first
  std::unordered_map<Key, std::list<Entry>::iterator, Hash> places_;
};

}  // namespace equipoise
