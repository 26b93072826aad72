// Whole lists: the first k of the catalogue, without what is in train, whatever a protocol ranks.
#pragma once

#include <cstdint>
#include <span>

#include "eval/item_facts.h"
#include "recommender/scorer.h"
#include "recommender/user_sample.h"

namespace equipoise {

/// Of how many users they are looked at in an evaluation.
inline constexpr SampleLimits kShownLimits{5000, std::size_t{1} << 24, 50};

/// Calls take(place, items) for each of the users: of equal scores the item whose id comes first is first.
/// CheckError if a score is not finite.
void for_whole_lists(const Scorer& scorer, const Dataset& data, const ItemFacts& facts,
                     std::span<const std::int32_t> users, int k,
                     FunctionRef<void(std::size_t, std::span<const std::int32_t>)> take);

}  // namespace equipoise
