// A few users with what they liked and what a trained model would show them, for people to look at.
#pragma once

#include "core/json.h"
#include "data/dataset.h"
#include "recommender/scorer.h"

namespace equipoise {

/// Three users, by their rows of train a quarter, half and three quarters from the top; the same for every model, since
/// the choice depends on the data alone. Each an object: user, train (rows), liked (names of at most 6 of its positives
/// in train, the last ones), liked_in_all, and list: the first 5 of the whole catalogue without what is in train, each
/// with item, name ("" where there is none) and label (its label in test, or null).
Json example_lists(const Scorer& scorer, const Dataset& data);

}  // namespace equipoise
