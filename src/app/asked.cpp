// Requests for lists as JSON, and by the numbers of a model.
#include "app/asked.h"

#include <algorithm>
#include <array>
#include <limits>

#include "app/item_text.h"

namespace equipoise {

namespace {

constexpr std::array<std::string_view, 6> kMembers{"candidates", "exclude",  "filter",
                                                   "history",    "features", "include_seen"};

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> out;
  for (const Json& one : list.as_array()) out.push_back(one.as_string());
  return out;
}

// An empty list of candidates leaves nothing; anything else that is empty says nothing.
bool says_something(std::string_view name, const Json& value) {
  if (name == "candidates") return true;
  if (value.is_bool()) return value.as_bool();
  return value.is_array() ? !value.as_array().empty() : !value.as_object().empty();
}

}  // namespace

AskedList asked_of(const Json& request) {
  AskedList out;
  if (const Json* ids = request.find("candidates")) out.request.candidates = texts_of(*ids);
  if (const Json* ids = request.find("exclude")) out.request.exclude = texts_of(*ids);
  if (const Json* filter = request.find("filter")) {
    for (const auto& [field, values] : filter->as_object()) out.request.filter.emplace_back(field, texts_of(values));
  }
  if (const Json* history = request.find("history")) {
    for (const Json& one : history->as_array()) {
      const Json* label = one.find("label");
      out.history.push_back({one.at("item").as_string(), label == nullptr ? std::numeric_limits<float>::quiet_NaN()
                                                                          : static_cast<float>(label->as_double())});
    }
  }
  if (const Json* features = request.find("features")) {
    for (const auto& [name, value] : features->as_object()) out.features[name] = value.as_string();
  }
  if (const Json* seen = request.find("include_seen")) out.request.include_seen = seen->as_bool();
  return out;
}

std::string asked_text(const Json& request) {
  Json out = Json::object();
  for (const std::string_view name : kMembers) {
    const Json* value = request.find(name);
    if (value != nullptr && says_something(name, *value)) out.append(std::string(name), *value);
  }
  return out.as_object().empty() ? "" : out.dump();
}

void give_all(GuestBook& book, std::int32_t guest, std::span<const Evidence> evidence) {
  for (const Evidence& one : evidence) book.give(guest, one.item, static_cast<double>(one.label));
}

AskedQuery::AskedQuery(const Recommender& recommender, const std::string& user, std::span<const Evidence> told,
                       const AskedList& asked, std::size_t ranked)
    : recommender_(recommender),
      user_(recommender.users().find(user)),
      query_(query_of(recommender, asked.request)),
      had_(recommender.seen().of(user_)) {
  query_.k = ranked;
  if (!told.empty() || !asked.history.empty() || !asked.features.empty()) {
    GuestBook book(recommender);
    user_ = book.guest(user);
    give_all(book, user_, told);
    give_all(book, user_, asked.history);
    for (const auto& [name, value] : asked.features) book.tell(user_, name, value);
    guests_ = book.guests();
    query_.guests = &guests_;
    of_guest_ = seen_of(guests_.history);
    had_ = of_guest_.of(user_);
  }
  if (query_.include_seen) had_ = {};
  if (query_.eligible.all()) return;
  only_ = query_.eligible.items();
  std::erase_if(only_, [&](std::int32_t item) { return std::binary_search(had_.begin(), had_.end(), item); });
}

EligibleItems AskedQuery::eligible() const {
  return query_.eligible.all() ? EligibleItems(recommender_.items().size(), had_) : EligibleItems(only_);
}

const char* AskedQuery::known() const {
  return query_.guests == nullptr ? to_string(recommender_.knows_user(user_)) : known_of(recommender_, guests_, user_);
}

}  // namespace equipoise
