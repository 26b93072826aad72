// Logs and features that a caller holds in memory, row by row, as a file's would be read.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/text/log_reader.h"

namespace equipoise {

/// Room for the digits of an id that is a number.
using IdRoom = std::span<char, 24>;
/// The id in a row, which may lie in the room given.
using IdOfRow = std::function<std::string_view(std::size_t row, IdRoom room)>;

/// Writes a key for each id from `first` on: equal keys are equal ids. False where there are none.
using IdKeys = std::function<bool(std::size_t first, std::span<std::uint64_t> out)>;
struct MemoryIds {
  IdOfRow text;
  IdKeys keys = {};
};

/// A log. Functions that are not set are columns that it does not have.
struct MemoryRows {
  std::string name;  // stands for it in messages
  std::size_t size = 0;
  MemoryIds user, item;
  std::function<double(std::size_t row)> label, weight, propensity;  // without a label every row is a positive
  /// Nothing where it is no whole number.
  using Whole = std::function<std::optional<std::int64_t>(std::size_t row)>;
  Whole timestamp;
  MemoryIds request;  // its text is not set where there are none
  Whole position, eligible;
  std::function<double(std::size_t row)> at_position, given_above;
  std::map<std::string, std::string> names = {};  // what columns are called, by role
};

/// Features of users or items, a row for each id.
struct MemoryFeatures {
  struct Categorical {
    std::string name;
    bool tags = false;
    std::function<std::string_view(std::size_t row)> value;  // "" = missing
  };
  struct Continuous {
    std::string name;
    std::function<double(std::size_t row)> value;  // NaN = missing
  };
  std::string name;
  std::size_t size = 0;
  IdOfRow id;
  std::vector<Categorical> categorical;
  std::vector<Continuous> continuous;
  std::function<std::string_view(std::size_t row)> called;  // what people call it; not set: nothing is known
};

/// What read_log gives for a file of these rows. DataError names the log and the row, which counts from 1.
Log read_log(const MemoryRows& rows, const LabelRule& rule, Duplicates duplicates, IdMap& users, IdMap& items,
             Pool* pool);

/// What read_feature_table gives for a file of these rows.
Features read_features(const MemoryFeatures& table, IdMap& ids, std::vector<bool>& listed);
/// What people call each id of the table, by the numbers that `read_features` gave; empty where the table does not say.
std::vector<std::string> read_names(const MemoryFeatures& table, const IdMap& ids);

}  // namespace equipoise
