// Lists as people ask for them: how long, of which items, with or without what the user has had.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/params.h"
#include "recommender/recommender.h"

namespace equipoise {

inline constexpr std::size_t kMostInAList = 1000000;

/// What a list may hold, by ids and names, whoever asks.
struct ListRequest {
  std::size_t k = 10;
  bool include_seen = false;
  std::optional<std::vector<std::string>> candidates;
  std::vector<std::string> exclude;
  std::vector<std::pair<std::string, std::vector<std::string>>> filter;  // every field must have one of its values
};
/// For that recommender. UsageError if k is out of range, or a filter names what its items do not have; unknown ids are
/// passed over, and the listener is told how many.
ListQuery query_of(const Recommender& recommender, const ListRequest& request);

struct RecommendParams {
  int k = 10;
  bool include_seen = false;
  std::string candidates;
  std::string exclude;
  std::string filter;

  void describe(Params& p);
  /// UsageError if the filter is not written as it should be.
  ListRequest request() const;
};

/// Says to the listener how many of the users have no training rows, and what they are recommended from.
void say_who_is_cold(const Recommender& recommender, std::span<const std::int32_t> users,
                     const std::vector<std::string>& ids);

}  // namespace equipoise
