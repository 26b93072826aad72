// What a reader must know of a data set to judge a figure measured on it.
#pragma once

#include "core/json.h"
#include "data/dataset.h"

namespace equipoise {

/// Keys: users, items, train, valid, test (rows), train_positive, test_positive (shares, null without rows),
/// label_rule, split, test_part, source ("" where the provenance does not say), leaks_removed, user_features,
/// item_features, positives_only.
Json data_card(const Dataset& data);

}  // namespace equipoise
