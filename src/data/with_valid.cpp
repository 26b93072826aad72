// Rows of another data set as a validation part.
#include "data/with_valid.h"

#include "data/held_out_ids.h"
#include "data/positives.h"
#include "data/split.h"
#include "data/text/feature_table.h"

namespace equipoise {

namespace {

std::vector<std::int32_t> numbers_in(IdMap& ids, const IdMap& others) {
  std::vector<std::int32_t> out;
  for (const std::string& name : others.names()) out.push_back(ids.add(name));
  return out;
}

/// All rows, with user, item and label alone: a model is judged by nothing else.
Rows rows_in(Dataset& data, const Dataset& other) {
  const auto users = numbers_in(data.users, other.users), items = numbers_in(data.items, other.items);
  Rows out;
  for (const Rows* part : {&other.train, &other.valid, &other.test}) {
    for (const std::int32_t u : part->user) out.user.push_back(users[static_cast<std::size_t>(u)]);
    for (const std::int32_t i : part->item) out.item.push_back(items[static_cast<std::size_t>(i)]);
    out.label.insert(out.label.end(), part->label.begin(), part->label.end());
  }
  return out;
}

}  // namespace

Dataset with_valid(Dataset data, const Dataset& held_out) {
  const std::vector<bool> known_users(static_cast<std::size_t>(data.known_users()), true),
      known_items(static_cast<std::size_t>(data.known_items()), true);
  Parts parts{std::move(data.train), rows_in(data, held_out), std::move(data.test), "valid as given", "as given"};
  set_parts(data, std::move(parts), false);
  pad_features(data.user_features, data.users.size());
  pad_features(data.item_features, data.items.size());
  if (!data.item_names.empty()) data.item_names.resize(static_cast<std::size_t>(data.items.size()));
  put_held_out_last(data, known_users, known_items);
  if (data.positives_only) data.protocol = protocol_of_positives(data);
  return data;
}

}  // namespace equipoise
