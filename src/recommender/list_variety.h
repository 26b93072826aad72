// Whether lists are personal: how many different items they hold, and how much those of two users differ.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recommender/recommender.h"

namespace equipoise {

struct ListVariety {
  std::int64_t lists = 0;
  std::int64_t items = 0;         // different ones in all lists together
  double difference = 0;          // mean over pairs of users of 1 − common items / length; NaN with one list
  std::int32_t most_listed = -1;  // the item in most lists, the first by number of equals; −1 = the lists are empty
  std::int64_t most_lists = 0;    // how many lists hold it
  double chance = 0;              // the share of the lists that an item would be in if all were alike

  double most_share() const { return lists > 0 ? static_cast<double>(most_lists) / static_cast<double>(lists) : 0; }
  /// One item is in more than half of the lists, though they could hold others: where a list is a large part of the
  /// catalogue, that is so of many items.
  bool one_for_most() const { return lists > 1 && 2 * most_lists > lists && chance <= 0.2; }
};

/// Counts list by list, and needs nothing of a list afterwards: an item in c of n lists is common to c(c − 1) of their
/// n(n − 1) ordered pairs, so the mean over all pairs comes from the counts alone. Lists that are shorter than k, where
/// little is left to recommend, count by their mean length.
class VarietyCount {
 public:
  /// `items`: of the catalogue.
  explicit VarietyCount(std::int32_t items) : times_(static_cast<std::size_t>(items)) {}

  /// A list holds no item twice.
  void add(std::span<const Recommended> list);
  ListVariety result() const;

 private:
  std::vector<std::int64_t> times_;  // (items) lists that hold it
  std::int64_t lists_ = 0;
};

/// Of the lists of these users.
ListVariety list_variety(const Recommender& recommender, std::span<const std::int32_t> users, const ListQuery& query,
                         Pool& pool);

/// Some of the users with training rows, drawn by a fixed seed, ascending: at most `most`, and fewer where the
/// catalogue is so large that lists of that many would take long.
std::vector<std::int32_t> users_for_lists(const Recommender& recommender, std::size_t most);

/// The most users whose lists are looked at after training.
inline constexpr std::size_t kMostUsersForLists = 1000;

}  // namespace equipoise
