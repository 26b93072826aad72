// Whom lists and scores are for, as callers of the public face say it.
#pragma once

#include "app/audience.h"
#include "equipoise/equipoise.h"

namespace equipoise {

/// The recommender's numbers of the caller's ids; −1 where it does not know one.
std::vector<std::int32_t> numbers_of(const IdMap& ids, const Ids& texts);

/// UsageError if history or features are given for several users.
Audience audience_of(const Recommender& recommender, const Ids& users, const ListOptions& beside);

}  // namespace equipoise
