// Items in words.
#include "app/item_text.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/feature_text.h"

namespace equipoise {

namespace {

template <class Field>
const Field* field_named(const std::vector<Field>& fields, const std::string& name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

[[noreturn]] void refuse_column(const Features& features, const std::string& column) {
  if (features.empty()) {
    throw UsageError(fmt::format("columns: the model has no item features (got {})", in_quotes(column)));
  }
  std::vector<std::string> known;
  for (const CategoricalField& field : features.categorical) known.push_back(field.name);
  for (const ContinuousField& field : features.continuous) known.push_back(field.name);
  throw UsageError(fmt::format("columns: items have no feature {}{}", in_quotes(column), suggest(column, known)));
}

}  // namespace

const char* to_string(Known known) {
  return known == Known::trained ? "trained" : known == Known::features_only ? "features_only" : "nothing";
}

ItemText::ItemText(const Recommender& recommender, std::vector<std::string> columns)
    : recommender_(recommender), columns_(std::move(columns)) {
  const Features& features = recommender.catalogue().items.features;
  for (const std::string& column : columns_) {
    categorical_.push_back(field_named(features.categorical, column));
    continuous_.push_back(field_named(features.continuous, column));
    if (categorical_.back() == nullptr && continuous_.back() == nullptr) refuse_column(features, column);
  }
}

std::vector<std::string> ItemText::values(std::int32_t item) const {
  const auto row = static_cast<std::size_t>(item);
  std::vector<std::string> out;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    out.push_back(categorical_[c] != nullptr ? feature_text(*categorical_[c], row)
                                             : feature_text(*continuous_[c], row));
  }
  return out;
}

bool ItemText::any_new(const Eligible& eligible) const {
  for (std::int32_t item = 0; item < recommender_.items().size(); ++item) {
    if (eligible.has(item) && is_new(item)) return true;
  }
  return false;
}

}  // namespace equipoise
