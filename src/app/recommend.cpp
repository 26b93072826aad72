// From what was asked for to a query, and what is said of users that the model does not know.
#include "app/recommend.h"

#include <fmt/format.h>

#include "app/score.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"

namespace equipoise {

namespace {

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> out;
  for (const std::string& word : split(list, ',')) {
    if (!trim(word).empty()) out.emplace_back(trim(word));
  }
  return out;
}

std::vector<std::int32_t> known_items(const Recommender& recommender, const std::string& list, const char* what) {
  const std::vector<std::string> ids = words_of(list);
  std::vector<std::int32_t> numbers = numbers_of<std::string>(recommender.items(), ids);
  const auto unknown = std::count(numbers.begin(), numbers.end(), -1);
  if (unknown > 0) {
    const auto first = std::find(numbers.begin(), numbers.end(), -1) - numbers.begin();
    warn(fmt::format("{}: {} of {} items are unknown to the model, first {}", what, unknown, ids.size(),
                     in_quotes(ids[static_cast<std::size_t>(first)])));
  }
  return numbers;
}

// "genre=jazz,rock;year=1999": every field must have one of its values.
void apply_filter(const std::string& filter, const Features& features, Eligible& eligible) {
  for (const std::string& part : split(filter, ';')) {
    const std::size_t at = part.find('=');
    if (at == std::string::npos) {
      throw UsageError(fmt::format("filter: expected field=value,value, got {}", in_quotes(part)));
    }
    eligible.keep_where(features, std::string(trim(part.substr(0, at))), words_of(part.substr(at + 1)));
  }
}

}  // namespace

void RecommendParams::describe(Params& p) {
  p("k", k, "how many items", between(1, kMostInAList));
  p("include_seen", include_seen, "also items that the user had in training");
  p("candidates", candidates, "only these items, with commas between their ids");
  p("exclude", exclude, "none of these items, with commas between their ids");
  p("filter", filter, "only items with such features: field=value,value;field=value");
}

ListQuery RecommendParams::query(const Recommender& recommender) const {
  ListQuery out{static_cast<std::size_t>(k), include_seen, Eligible(recommender.items().size())};
  if (!candidates.empty()) out.eligible.keep_only(known_items(recommender, candidates, "candidates"));
  if (!exclude.empty()) out.eligible.leave_out(known_items(recommender, exclude, "exclude"));
  if (!filter.empty()) apply_filter(filter, recommender.catalogue().items.features, out.eligible);
  return out;
}

void say_who_is_cold(const Recommender& recommender, std::span<const std::int32_t> users,
                     const std::vector<std::string>& ids) {
  std::int64_t features = 0, nothing = 0;
  for (const std::int32_t user : users) {
    features += recommender.knows_user(user) == Known::features_only;
    nothing += recommender.knows_user(user) == Known::nothing;
  }
  if (features + nothing == 0) return;
  if (users.size() == 1) {
    warn(fmt::format("user {} has no training rows: recommended from {}", in_quotes(ids.front()),
                     features > 0 ? "the user's features" : "what is common to all users"));
    return;
  }
  warn(
      fmt::format("of {} users {} have no training rows: {} are recommended to from their features, {} from what is "
                  "common to all users",
                  thousands(static_cast<std::int64_t>(users.size())), thousands(features + nothing),
                  thousands(features), thousands(nothing)));
}

}  // namespace equipoise
