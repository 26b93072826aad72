// The catalogue of a data set.
#include "model/catalogue.h"

namespace equipoise {

namespace {

Entities entities_of(std::int32_t count, std::int32_t held_out, const Features& features,
                     const std::vector<std::int32_t>& column) {
  Entities out{count, features, std::vector<std::int32_t>(static_cast<std::size_t>(count), 0), held_out};
  for (const std::int32_t e : column) ++out.rows[static_cast<std::size_t>(e)];
  return out;
}

}  // namespace

Catalogue catalogue_of(const Dataset& data) {
  return {entities_of(data.users.size(), data.held_out_users, data.user_features, data.train.user),
          entities_of(data.items.size(), data.held_out_items, data.item_features, data.train.item)};
}

}  // namespace equipoise
