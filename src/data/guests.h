// Guests: users as a caller describes them when asking, known to the model or not.
#pragma once

#include <cstdint>
#include <vector>

#include "data/features.h"
#include "data/user_items.h"

namespace equipoise {

/// A guest may be a user of the model, of whom more is known by now, or somebody new. What is given here counts in the
/// place of what the model has.
struct Guests {
  std::vector<std::int32_t> user;  // the model's number of each, −1 = somebody new
  UserItems history;               // of each, all of it
  /// A row for each guest, with the fields and vocabularies of the model's users, in the same order; or empty: then
  /// the model's own features of those it knows count.
  Features features;

  std::size_t size() const { return user.size(); }
};

}  // namespace equipoise
