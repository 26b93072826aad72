// The data set: ids, features, and the three parts of the log. Built once, then only read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/features.h"
#include "data/ids.h"
#include "data/withheld.h"

namespace equipoise {

class Pool;

using RowNumber = std::uint32_t;  // half the memory of a std::size_t, which counts for logs of 10^8 rows

/// Rows of a log, column by column. Columns after the label are empty where the data has none; those after the
/// timestamp are what a server that draws its lists knows of them.
struct Rows {
  std::vector<std::int32_t> user;
  std::vector<std::int32_t> item;
  std::vector<float> label;       // 0 or 1
  std::vector<float> propensity;  // in (0, 1]: the chance that this pair was shown
  std::vector<float> weight;      // ≥ 0
  std::vector<std::int64_t> timestamp;
  std::vector<std::int32_t> request = {};   // the number of the list that the row is of
  std::vector<std::int32_t> position = {};  // in the list, from 1
  std::vector<double> at_position = {};     // in (0, 1]: the chance that this item was at this position
  std::vector<double> given_above = {};     // in (0, 1]: the same, given the items above it
  std::vector<std::int32_t> eligible = {};  // ≥ 1: how many items the list could have shown

  std::size_t size() const { return user.size(); }
  bool empty() const { return user.empty(); }
  void clear();
  /// Rows of a log with the same columns.
  void append(const Rows& other);
  /// The rows of those numbers, in that order, with all their columns.
  Rows select(const std::vector<std::size_t>& numbers) const;
  /// Takes out the rows of those numbers, which ascend; in place.
  void remove(const std::vector<RowNumber>& numbers, Pool* pool = nullptr);
};

/// Calls f with a pointer to each column's member, always in the same order.
template <class F>
void each_member(F f) {
  f(&Rows::user), f(&Rows::item), f(&Rows::label), f(&Rows::propensity), f(&Rows::weight), f(&Rows::timestamp);
  f(&Rows::request), f(&Rows::position), f(&Rows::at_position), f(&Rows::given_above), f(&Rows::eligible);
}
/// Calls f with each column, in that order.
template <class AnyRows, class F>
void each_column(AnyRows& rows, F f) {
  each_member([&](auto member) { f(rows.*member); });
}

struct Dataset {
  std::string name;
  IdMap users;
  IdMap items;
  IdMap requests;  // of the rows that have one, numbered by their first row in train, valid, test
  /// (requests) What a list was made of beside its user: a JSON object with those members of a server's request that
  /// count (candidates, exclude, filter, features, include_seen), and as history all that was known of the user then.
  /// "" = not known; empty where the data says it of no list.
  std::vector<std::string> asked = {};
  Features user_features;  // users.size() rows, or empty
  Features item_features;  // items.size() rows, or empty
  /// How many of the last users and items only valid or test have. Nothing learned may depend on how many they are.
  std::int32_t held_out_users = 0;
  std::int32_t held_out_items = 0;
  Rows train;  // biased: what users were shown
  Rows valid;  // for model choice; unbiased where the source has an unbiased part
  Rows test;   // read once, at the end
  /// Every row of train is a 1 because the log holds what users did and nothing else: clicks, plays, purchases. What a
  /// user has no row of is unknown, not disliked. Valid and test may have both labels.
  bool positives_only = false;
  /// Pairs that the log could not hold; empty in most data sets.
  Withheld withheld;
  /// (users × items) the chance of every pair to be shown, user by user, where it is known: of logs that a program has
  /// drawn itself. Empty otherwise; files do not hold it.
  std::vector<float> known_chance;
  /// What people call each item, "" where it is not known; or empty. No model depends on it, and it is no part of the
  /// fingerprint.
  std::vector<std::string> item_names;
  /// Where it came from: source, label rule, split rule, seed, leaks_removed …; goes into dataset.toml and the model.
  Json provenance = Json::object();
  /// The protocol its evaluation uses unless told otherwise: "test-items", "sampled:99" or "full".
  std::string protocol = "test-items";

  /// Those of train, and of a catalogue that is known in advance; their numbers come first.
  std::int32_t known_users() const { return users.size() - held_out_users; }
  std::int32_t known_items() const { return items.size() - held_out_items; }

  /// 16 hexadecimal digits over ids, features and rows: equal data, equal text.
  std::string fingerprint() const { return known_fingerprint.empty() ? computed_fingerprint() : known_fingerprint; }
  std::string known_fingerprint = {};  // of the whole data, where a part of it is here (data/share_out.h)

 private:
  std::string computed_fingerprint() const;
};

/// What training cannot do without: two users, two items, both labels (or positives only), values in range. DataError
/// says what is missing.
void check_trainable(const Dataset& data);

/// Numbers requests by their first row, and forgets those without one. DataError if a request has rows of two users.
void settle_requests(Dataset& data);

/// How many rows of train have a pair that occurs in valid or test too.
std::int64_t count_leaks(const Dataset& data);

/// What data without a name of its own is called: the folder's name, however the path is written ("sim", "sim/", "." in
/// it), or that of the file up to its first dot ("clicks" of "logs/clicks.csv.gz"); "csv" for stdin and pipes.
std::string name_of_data(const std::string& path);

/// A folder: dataset.toml, train.csv, valid.csv, test.csv, users.csv and items.csv if there are features (or ids whose
/// order train does not give), withheld.csv if the log withholds something, and requests.csv if it is known what lists
/// were made of. Ids are numbered by users.csv, then by
/// their first row in train, valid, test; those that come with valid and test are the held-out ones.
Dataset read_dataset(const std::string& folder);
/// A file that belongs into a data set's folder beside its own, such as the truth of a simulation.
struct ExtraFile {
  std::string name;
  std::function<void(const std::string& path)> write;
};
/// The folder is made, or its data set replaced, in one step (core/whole_folder.h): after any failure or kill the old
/// one is there, or the new one. What else lies in the folder stays there. UsageError if it holds something other than
/// a data set. Empty parts have no file. Reading it back gives the same data and fingerprint; fields' vocabularies come
/// back in the order of their first row.
void write_dataset(const Dataset& data, const std::string& folder, const std::vector<ExtraFile>& extra = {});

}  // namespace equipoise
