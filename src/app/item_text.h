// What lists say of an item in words: its name, how much the model knows of it, and chosen features.
#pragma once

#include <string>
#include <vector>

#include "recommender/recommender.h"

namespace equipoise {

/// "trained", "features_only", "nothing".
const char* to_string(Known known);

class ItemText {
 public:
  /// `columns` are names of item features, in the order in which they are shown; UsageError, with a suggestion, if
  /// items have no such feature. The recommender must outlive it.
  ItemText(const Recommender& recommender, std::vector<std::string> columns);

  const std::string& id(std::int32_t item) const { return recommender_.items().name(item); }
  bool has_names() const { return !recommender_.item_names().empty(); }
  /// "" where the data had no names.
  std::string name(std::int32_t item) const { return has_names() ? recommender_.item_name(item) : ""; }
  const std::vector<std::string>& columns() const { return columns_; }
  /// The values of those features; "" = missing, several are written "a|b|c".
  std::vector<std::string> values(std::int32_t item) const;

  /// How much the model knows of it: "trained", "features_only", "nothing".
  std::string known(std::int32_t item) const { return to_string(recommender_.knows_item(item)); }
  /// Whether the item is new: without training rows, and known by its features.
  bool is_new(std::int32_t item) const { return recommender_.knows_item(item) == Known::features_only; }
  bool any_new(const Eligible& eligible) const;

 private:
  const Recommender& recommender_;
  std::vector<std::string> columns_;
  std::vector<const CategoricalField*> categorical_;  // for each column, or nullptr
  std::vector<const ContinuousField*> continuous_;
};

}  // namespace equipoise
