// Many lists at once, for whoever waits: exact ones of users as the model knows them or as the request describes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/asked.h"
#include "policy/lists.h"
#include "serve/feedback_memory.h"
#include "serve/list_cache.h"
#include "serve/models.h"

namespace equipoise {

/// A list that is asked for, and what becomes of it.
struct ListJob {
  const ServedModel* model = nullptr;
  std::string user;  // "" = somebody new
  AskedList asked;
  std::string asked_text;  // for the log
  bool explore = true;
  bool preview = false;  // only looked at: not logged, not counted
  std::string id;        // names its draws

  FeedbackMemory::Told told;      // what the user has told since training
  std::vector<Recommended> list;  // with the scores that `score` gives
  std::vector<Chances> chances;   // (list)
  std::int64_t eligible = 0;
  const char* known = "nothing";
  std::optional<double> age;  // in seconds, where the ranking is from the cache

  std::size_t k() const { return asked.request.k; }
  bool include_seen() const { return asked.request.include_seen; }
};

/// Of one loop; keeps its working memory.
class ListMaker {
 public:
  /// All must outlive it; `memory` is what users have told since training.
  ListMaker(const ListPolicy& policy, const ListPolicy& greedy, const FeedbackMemory& memory, ListCache& cache)
      : policy_(policy), greedy_(greedy), memory_(memory), cache_(cache) {}

  /// Those that are plain are scored together by model and length. UsageError if one asks for what its model has not.
  void make(std::vector<ListJob*>& jobs);
  /// How many of them were drawn by a policy that explores.
  std::uint64_t explored() const { return explored_; }
  std::uint64_t cache_hits() const { return cache_hits_; }
  std::uint64_t cache_misses() const { return cache_misses_; }

 private:
  /// Jobs that one call of top_k answers.
  struct Group {
    const ServedModel* model;
    std::size_t length;  // of the ranking
    bool include_seen;
    bool guests;
    std::vector<ListJob*> jobs;
  };
  const ListPolicy& policy_of(const ListJob& job) const { return job.explore ? policy_ : greedy_; }
  void sort_in(ListJob* job);
  void add_to_group(ListJob* job, std::size_t length, bool guests);
  void rank_users(Group& group);
  void rank_guests(Group& group);
  void rank_alone(ListJob& job);
  void draw_known(ListJob& job, std::int32_t user, std::span<const Recommended> ranked);
  void draw(ListJob& job, std::span<const Recommended> ranked, const EligibleItems& eligible);
  void score_drawn(const ServedModel& model, std::span<ListJob* const> jobs, std::span<const std::int32_t> users,
                   const Guests* guests);

  const ListPolicy& policy_;
  const ListPolicy& greedy_;
  const FeedbackMemory& memory_;
  ListCache& cache_;
  PolicyRoom room_;
  std::vector<Group> groups_;
  std::vector<ListJob*> alone_;
  std::vector<std::int32_t> drawn_;
  std::vector<std::int32_t> pair_users_, pair_items_;
  std::vector<float> pair_scores_;
  std::uint64_t explored_ = 0, cache_hits_ = 0, cache_misses_ = 0;
};

}  // namespace equipoise
