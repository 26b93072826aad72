// What a request for a list says beside its user, and the items that a model may and would show for it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/guests.h"
#include "app/recommend.h"
#include "policy/eligible_items.h"

namespace equipoise {

/// What a user made of an item.
struct Evidence {
  std::string item;
  float label;  // NaN = not known
};

struct AskedList {
  ListRequest request;
  std::vector<Evidence> history;  // the oldest first
  std::map<std::string, std::string> features;

  /// Nothing but the user and include_seen says what may be in the list.
  bool is_plain() const { return history.empty() && features.empty() && !limits_items(); }
  /// It has candidates, exclusions or a filter.
  bool limits_items() const { return request.candidates || !request.exclude.empty() || !request.filter.empty(); }
};
/// Reads the members candidates, exclude, filter, history, features and include_seen of a JSON object; others are
/// passed over. DataError if one of them is of another kind.
AskedList asked_of(const Json& request);
/// Those members of the object that say something, for a log; "" = none does.
std::string asked_text(const Json& request);

/// A request by the numbers of one model.
class AskedQuery {
 public:
  /// `told`: what else is known of the user, older than the request's history. UsageError if it asks for what the model
  /// has not. The recommender must outlive it.
  AskedQuery(const Recommender& recommender, const std::string& user, std::span<const Evidence> told,
             const AskedList& asked, std::size_t ranked);
  AskedQuery(const AskedQuery&) = delete;
  AskedQuery& operator=(const AskedQuery&) = delete;

  /// The best `ranked` items.
  std::vector<Recommended> ranked(Pool& pool) const { return recommender_.top_k(user_, query_, pool); }
  EligibleItems eligible() const;
  /// Of whom scores are: a guest's number where there are guests, else the model's of the user.
  std::int32_t user() const { return user_; }
  const Guests* guests() const { return query_.guests; }
  /// How much is known of the user: "trained", "history", "features_only", "nothing".
  const char* known() const;

 private:
  const Recommender& recommender_;
  std::int32_t user_;
  Guests guests_;
  ListQuery query_;
  Seen of_guest_;
  std::span<const std::int32_t> had_;  // what is left out because the user has it
  std::vector<std::int32_t> only_;     // where not all other items are eligible
};

/// Adds evidence to what is known of a guest, newer than what is there.
void give_all(GuestBook& book, std::int32_t guest, std::span<const Evidence> evidence);

}  // namespace equipoise
