// Lists as people ask for them: how long, of which items, with or without what the user has had.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/params.h"
#include "recommender/list_variety.h"

namespace equipoise {

inline constexpr std::size_t kMostInAList = 1000000;

/// What a list may hold, by ids and names of features, whoever asks.
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

/// Which items a list may hold, as parameters.
struct ItemChoice {
  int k = 10;
  std::string candidates, candidates_file;
  std::string exclude, exclude_file;
  std::string filter;
  std::string columns;

  void describe(Params& p);
  /// Reads the files of ids. UsageError if the filter is not written as it should be; DataError if a file is not.
  ListRequest request() const;
  /// The names of `columns`.
  std::vector<std::string> column_names() const;
  /// The files that are read.
  std::vector<std::string> inputs() const;
};

struct RecommendParams : ItemChoice {
  bool include_seen = false;

  void describe(Params& p);
  ListRequest request() const;
};

/// What `similar` can be told.
struct SimilarParams : ItemChoice {};
/// The items most like that one, for a request by ids; UsageError if the model does not know the item.
std::vector<Recommended> similar(const Recommender& recommender, const std::string& item, const ListRequest& request,
                                 Pool& pool);

/// Says to the listener how many different items all lists hold and how much those of two users differ, and warns if
/// one item is in most of them.
void say_how_lists_vary(const Recommender& recommender, const ListVariety& variety);
/// The same figures: lists, different_items, difference, most_listed, most_lists.
Json variety_json(const Recommender& recommender, const ListVariety& variety);

}  // namespace equipoise
