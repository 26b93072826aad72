// What a model must know of users and items before it is built: how many, their features, which were in the log.
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.h"
#include "data/user_items.h"

namespace equipoise {

/// Users, or items.
struct Entities {
  std::int32_t count = 0;
  Features features;               // `count` rows, or empty
  std::vector<std::int32_t> rows;  // how many training rows each has; 0 = cold: its id says nothing
  std::int32_t held_out = 0;       // how many of the last ones only valid or test have: no start depends on them

  std::int32_t known() const { return count - held_out; }
};

struct Catalogue {
  Entities users;
  Entities items;
  UserItems history = {};  // who has what, where a model uses it
};

Catalogue catalogue_of(const Dataset& data);

}  // namespace equipoise
