// From what was asked for to a query, and what is said of users that the model does not know.
#include "app/recommend.h"

#include <fmt/format.h>

#include "app/score.h"
#include "app/words.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "recommender/vectors.h"

namespace equipoise {

namespace {

// Ids with commas between them, and those of a file.
std::vector<std::string> listed_ids(const std::string& list, const std::string& file, const char* what) {
  std::vector<std::string> out = words_of(list, what);
  if (file.empty()) return out;
  CsvReader reader = open_table(file);
  const std::size_t column = column_of(reader, "item");
  while (reader.next()) out.emplace_back(reader.field(column));
  return out;
}

std::vector<std::int32_t> known_items(const Recommender& recommender, const std::vector<std::string>& ids,
                                      const char* what) {
  std::vector<std::int32_t> numbers = numbers_of<std::string>(recommender.items(), ids);
  const auto unknown = std::count(numbers.begin(), numbers.end(), -1);
  if (unknown > 0) {
    const auto first = std::find(numbers.begin(), numbers.end(), -1) - numbers.begin();
    warn(fmt::format("{}: {} of {} items are unknown to the model, first {}", what, unknown, ids.size(),
                     in_quotes(ids[static_cast<std::size_t>(first)])));
  }
  return numbers;
}

}  // namespace

void ItemChoice::describe(Params& p) {
  p("k", k, "how many items", between(1, kMostInAList));
  p("candidates", candidates,
    "only these items, with commas between their ids; an id with a comma in it is written in double quotes");
  p("candidates_file", candidates_file, "only the items of this CSV file, by its column item");
  p("exclude", exclude, "none of these items, with commas between their ids");
  p("exclude_file", exclude_file, "none of the items of this CSV file, by its column item");
  p("filter", filter,
    "only items with such features: field=value,value;field=value; a value with a comma or semicolon in it is written "
    "in double quotes");
  p("columns", columns, "features of each item that the list shows, with commas between their names");
}

void RecommendParams::describe(Params& p) {
  ItemChoice::describe(p);
  p("include_seen", include_seen, "also items that the user had in training");
}

// A filter is written genre=jazz,"rock, pop";year=1999.
ListRequest ItemChoice::request() const {
  ListRequest out{static_cast<std::size_t>(k), false, {}, listed_ids(exclude, exclude_file, "exclude"), {}};
  if (!candidates.empty() || !candidates_file.empty())
    out.candidates = listed_ids(candidates, candidates_file, "candidates");
  for (const std::string& part : filter.empty() ? std::vector<std::string>{} : quoted_parts(filter, ';', "filter")) {
    const std::size_t at = part.find('=');
    if (at == std::string::npos) {
      throw UsageError(fmt::format("filter: expected field=value,value, got {}", in_quotes(part)));
    }
    out.filter.emplace_back(trim(part.substr(0, at)), words_of(part.substr(at + 1), "filter"));
  }
  return out;
}

ListRequest RecommendParams::request() const {
  ListRequest out = ItemChoice::request();
  out.include_seen = include_seen;
  return out;
}

std::vector<std::string> ItemChoice::column_names() const { return words_of(columns, "columns"); }

std::vector<std::string> ItemChoice::inputs() const { return {candidates_file, exclude_file}; }

std::vector<Recommended> similar(const Recommender& recommender, const std::string& item, const ListRequest& request,
                                 Pool& pool) {
  const std::int32_t number = recommender.items().find(item);
  if (number < 0) throw UsageError(fmt::format("the model does not know item {}", in_quotes(item)));
  return similar_items(recommender, number, request.k, query_of(recommender, request).eligible, pool);
}

ListQuery query_of(const Recommender& recommender, const ListRequest& request) {
  if (request.k == 0 || request.k > kMostInAList) {
    throw UsageError(fmt::format("k = {} is out of range: from 1 up to {}", request.k, kMostInAList));
  }
  ListQuery out{request.k, request.include_seen, Eligible(recommender.items().size())};
  if (request.candidates) out.eligible.keep_only(known_items(recommender, *request.candidates, "candidates"));
  if (!request.exclude.empty()) out.eligible.leave_out(known_items(recommender, request.exclude, "exclude"));
  for (const auto& [field, values] : request.filter) {
    out.eligible.keep_where(recommender.catalogue().items.features, field, values);
  }
  return out;
}

void say_how_lists_vary(const Recommender& recommender, const ListVariety& variety) {
  if (variety.lists < 2 || variety.items == 0) return;
  note(fmt::format("the lists of {} users hold {} different items; those of two users differ in {:.0f}% of their items",
                   thousands(variety.lists), thousands(variety.items), 100 * variety.difference));
  if (!variety.one_for_most()) return;
  const std::string name =
      recommender.item_names().empty() ? "" : fmt::format(" ({})", recommender.item_name(variety.most_listed));
  warn(fmt::format("item {}{} is in {} of {} lists: they are hardly personal",
                   in_quotes(recommender.items().name(variety.most_listed)), name, thousands(variety.most_lists),
                   thousands(variety.lists)));
}

Json variety_json(const Recommender& recommender, const ListVariety& variety) {
  return Json::object(
      {{"lists", variety.lists},
       {"different_items", variety.items},
       {"difference", number_or_null(variety.difference)},
       {"most_listed", variety.most_listed < 0 ? Json() : Json(recommender.items().name(variety.most_listed))},
       {"most_lists", variety.most_lists}});
}

}  // namespace equipoise
