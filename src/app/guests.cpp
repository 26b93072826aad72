// Guests from texts.
#include "app/guests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "app/item_text.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/dataset_folder.h"

namespace equipoise {

namespace {

std::int32_t code_of(const CategoricalField& field, const std::string& value) {
  const auto found = std::find(field.values.begin(), field.values.end(), value);
  if (found != field.values.end()) return static_cast<std::int32_t>(found - field.values.begin());
  throw UsageError(
      fmt::format("features: no user has {} = {}{}", field.name, in_quotes(value), suggest(value, field.values)));
}

// The values of one more row: those of the text, or those that the model has of the user.
void append_row(CategoricalField& out, const CategoricalField& own, std::int32_t user, const std::string* text) {
  if (text != nullptr) {
    for (const std::string& value : own.tags ? split(*text, kTagSeparator) : std::vector<std::string>{*text}) {
      if (!value.empty()) out.codes.push_back(code_of(own, value));
    }
  } else if (user >= 0) {
    const auto row = static_cast<std::size_t>(user);
    out.codes.insert(out.codes.end(), own.codes.begin() + own.offsets[row], own.codes.begin() + own.offsets[row + 1]);
  }
  out.offsets.push_back(static_cast<std::int32_t>(out.codes.size()));
}

float number_of(const ContinuousField& own, std::int32_t user, const std::string* text) {
  const float missing = std::numeric_limits<float>::quiet_NaN();
  if (text == nullptr) return user < 0 ? missing : own.values[static_cast<std::size_t>(user)];
  if (text->empty()) return missing;
  const auto number = parse_double(*text);
  if (number && std::isfinite(*number)) return static_cast<float>(*number);
  throw UsageError(fmt::format("features: {} is a number, got {}", own.name, in_quotes(*text)));
}

const std::string* text_of(const std::map<std::string, std::string>& features, const std::string& name) {
  const auto found = features.find(name);
  return found == features.end() ? nullptr : &found->second;
}

}  // namespace

bool uses_history(const Recommender& recommender) {
  return recommender.recipe().base() != nullptr && recommender.recipe().model().history.used();
}

const char* known_of(const Recommender& recommender, const Guests& guests, std::int32_t guest) {
  const std::int32_t user = guests.user[static_cast<std::size_t>(guest)];
  const Known known = recommender.knows_user(user);
  if (known == Known::trained) return to_string(known);
  if (uses_history(recommender) && !guests.history.of(guest).empty()) return "history";
  return guests.features.empty() ? to_string(known) : to_string(Known::features_only);
}

std::int32_t GuestBook::guest(const std::string& user) {
  const auto [place, fresh] = numbers_.emplace(user, static_cast<std::int32_t>(guests_.size()));
  if (fresh) guests_.push_back({recommender_.users().find(user), {}, {}});
  return place->second;
}

std::int32_t GuestBook::find(const std::string& user) const {
  const auto found = numbers_.find(user);
  return found == numbers_.end() ? -1 : found->second;
}

void GuestBook::give(std::int32_t guest, const std::string& item, double label) {
  if (label < 0 || label > 1) {
    throw UsageError(fmt::format("the label of item {} is {}; expected one from 0 to 1, as the model was trained with",
                                 in_quotes(item), to_text(label)));
  }
  ++given_;
  const std::int32_t number = recommender_.items().find(item);
  if (number < 0 && unknown_++ == 0) first_unknown_ = item;
  if (number < 0) return;
  guests_[static_cast<std::size_t>(guest)].items.push_back({number, static_cast<float>(label)});
}

void GuestBook::tell(std::int32_t guest, const std::string& feature, const std::string& value) {
  const Features& known = recommender_.catalogue().users.features;
  if (known.empty()) throw UsageError("features: the model has no user features");
  std::vector<std::string> names;
  for (const CategoricalField& field : known.categorical) names.push_back(field.name);
  for (const ContinuousField& field : known.continuous) names.push_back(field.name);
  if (std::find(names.begin(), names.end(), feature) == names.end()) {
    throw UsageError(fmt::format("features: users have no feature {}{}", in_quotes(feature), suggest(feature, names)));
  }
  guests_[static_cast<std::size_t>(guest)].features[feature] = value;
}

// The newest first: what was given, and then what the model has.
void GuestBook::add_history(const Guest& guest, Guests& out) const {
  const UserItems before = recommender_.items_of(guest.user);
  std::vector<std::int32_t> items;
  std::vector<float> labels;
  std::set<std::int32_t> met;
  const auto add = [&](std::int32_t item, float label) {
    if (!met.insert(item).second) return;
    items.push_back(item), labels.push_back(label);
  };
  for (std::size_t n = guest.items.size(); n-- > 0;) add(guest.items[n].number, guest.items[n].label);  // newest first
  for (std::size_t k = 0; k < before.items.size(); ++k) add(before.items[k], before.labels[k]);
  out.history.add(items, labels);
}

Features GuestBook::features() const {
  const bool told = std::any_of(guests_.begin(), guests_.end(), [](const Guest& g) { return !g.features.empty(); });
  if (!told) return {};
  Features out{static_cast<std::int32_t>(guests_.size()), {}, {}};
  for (const CategoricalField& field : recommender_.catalogue().users.features.categorical) {
    CategoricalField column{field.name, field.tags, field.values, {0}, {}};
    for (const Guest& guest : guests_) append_row(column, field, guest.user, text_of(guest.features, field.name));
    out.categorical.push_back(std::move(column));
  }
  for (const ContinuousField& field : recommender_.catalogue().users.features.continuous) {
    ContinuousField column{field.name, {}};
    for (const Guest& guest : guests_) {
      column.values.push_back(number_of(field, guest.user, text_of(guest.features, field.name)));
    }
    out.continuous.push_back(std::move(column));
  }
  return out;
}

void GuestBook::say_what_is_of_no_use() const {
  if (unknown_ > 0) {
    warn(fmt::format("{} of {} items that users have are unknown to the model, first {}", thousands(unknown_),
                     thousands(given_), in_quotes(first_unknown_)));
  }
  if (given_ > 0 && !uses_history(recommender_)) {
    note("the model was trained without history: the items that users have change nothing but what is left out");
  }
}

Guests GuestBook::guests() const {
  Guests out;
  for (const Guest& guest : guests_) {
    out.user.push_back(guest.user);
    add_history(guest, out);
  }
  out.features = features();
  const Recipe& recipe = recommender_.recipe();
  if (!out.features.empty() && (recipe.base() == nullptr || !recipe.model().representation.features)) {
    throw UsageError(fmt::format("features: {} makes no use of the features of users", recipe.title()));
  }
  say_what_is_of_no_use();
  return out;
}

}  // namespace equipoise
