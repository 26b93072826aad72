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

void RecommendParams::describe(Params& p) {
  p("k", k, "how many items", between(1, kMostInAList));
  p("include_seen", include_seen, "also items that the user had in training");
  p("candidates", candidates, "only these items, with commas between their ids");
  p("exclude", exclude, "none of these items, with commas between their ids");
  p("filter", filter, "only items with such features: field=value,value;field=value");
}

// A filter is written "genre=jazz,rock;year=1999".
ListRequest RecommendParams::request() const {
  ListRequest out{static_cast<std::size_t>(k), include_seen, {}, words_of(exclude), {}};
  if (!candidates.empty()) out.candidates = words_of(candidates);
  for (const std::string& part : filter.empty() ? std::vector<std::string>{} : split(filter, ';')) {
    const std::size_t at = part.find('=');
    if (at == std::string::npos) {
      throw UsageError(fmt::format("filter: expected field=value,value, got {}", in_quotes(part)));
    }
    out.filter.emplace_back(trim(part.substr(0, at)), words_of(part.substr(at + 1)));
  }
  return out;
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
