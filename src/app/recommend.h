// Lists as people ask for them: how long, of which items, with or without what the user has had.
#pragma once

#include <string>

#include "core/params.h"
#include "recommender/recommender.h"

namespace equipoise {

inline constexpr std::size_t kMostInAList = 1000000;

struct RecommendParams {
  int k = 10;
  bool include_seen = false;
  std::string candidates;
  std::string exclude;
  std::string filter;

  void describe(Params& p);
  /// For that recommender. UsageError if a filter names what its items do not have; unknown ids are passed over, and
  /// the listener is told how many.
  ListQuery query(const Recommender& recommender) const;
};

/// Says to the listener how many of the users have no training rows, and what they are recommended from.
void say_who_is_cold(const Recommender& recommender, std::span<const std::int32_t> users,
                     const std::vector<std::string>& ids);

}  // namespace equipoise
