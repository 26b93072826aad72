// Whom lists and scores are for: users of the model, or guests as the command line describes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/guests.h"

namespace equipoise {

/// What is known of users beside the model, as texts; all empty = nothing.
struct BesideTheModel {
  std::string history = {};    // of the one user: item,item:label,…
  std::string features = {};   // of the one user: name=value,name=value
  std::string more_rows = {};  // a CSV file: user,item and, where there is one, label

  bool empty() const { return history.empty() && features.empty() && more_rows.empty(); }
};

struct Audience {
  std::vector<std::int32_t> numbers;  // of each id: the model's, −1 = unknown; or the guests', where there are guests
  std::optional<Guests> guests;

  const Guests* given() const { return guests ? &*guests : nullptr; }
};

/// UsageError if history or features are given for several ids, or are not written as they should be. With `newcomers`
/// everybody who has more rows is asked for too: those who are not in `ids` come after them, and their ids are put into
/// it.
Audience audience_of(const Recommender& recommender, const std::vector<std::string>& ids, const BesideTheModel& beside,
                     std::vector<std::string>* newcomers = nullptr);

/// How much is known of the one at that place: "trained", "history", "features_only", "nothing".
const char* known_of(const Recommender& recommender, const Audience& audience, std::size_t place);

/// Says to the listener how many have no training rows, and what they are recommended from.
void say_who_is_cold(const Recommender& recommender, const Audience& audience, const std::vector<std::string>& ids);

}  // namespace equipoise
