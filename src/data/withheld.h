// What a log could not hold: a set of users × a set of items that was kept out of it, whatever the users did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace equipoise {

struct Dataset;
class IdMap;
class StreamHash;

/// Pairs of these users and these items have no row because of how the log came about: a block that was set aside for
/// the test, a catalogue that some users could not see. That they have no row says nothing about taste, so such pairs
/// are never drawn, and never ranked unless they have a row in the part that is ranked. It is one set of users × one
/// set of items, declared by whoever knows how the log was made: single pairs cannot be named, because leaving out
/// just the pairs of a test would tell training where its positives are.
struct Withheld {
  std::vector<std::uint8_t> users;  // 1 for the users of the set, by number; both empty: nothing is withheld
  std::vector<std::uint8_t> items;

  bool empty() const { return users.empty(); }
  bool of(std::int32_t user) const { return !users.empty() && users[static_cast<std::size_t>(user)] != 0; }
  bool has(std::int32_t user, std::int32_t item) const { return of(user) && items[static_cast<std::size_t>(item)]; }
  /// How many pairs of the first so many users and items are in it.
  double cells(std::int32_t of_users, std::int32_t of_items) const;
  std::int64_t user_count() const;
  std::int64_t item_count() const;
  /// The items of the set, ascending.
  std::vector<std::int32_t> item_numbers() const;
};

/// The one of most data sets.
const Withheld& nothing_withheld();

/// "the log withholds 1,411 users × 3,327 items: …"
std::string sentence(const Withheld& withheld);

/// A CSV file of ids, `side,id`, where side is user or item. DataError if an id is not known or occurs twice, or if
/// one side has none.
Withheld read_withheld(const std::string& path, const IdMap& users, const IdMap& items, StreamHash* hash = nullptr);
/// The lines of such a file.
std::string withheld_text(const Withheld& withheld, const IdMap& users, const IdMap& items);

/// DataError if train has a row of the set, if it is nearly everything, or if most of it is positives of valid and
/// test: then leaving it out would tell training where those are.
void check_withheld(const Dataset& data);

}  // namespace equipoise
