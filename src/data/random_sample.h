// The random sample that some methods learn from: one half of the validation part, by users; the other half judges.
#pragma once

#include <string>

#include "data/dataset.h"

namespace equipoise {

struct RandomHalves {
  Rows learned;  // rows that a method may learn from
  Rows judging;  // rows that choose epochs and settings; no user is in both
};
/// Cuts valid in two, by users. It depends on the rows of valid alone, so that all settings and seeds are judged alike.
/// DataError where valid is no random sample that can be cut so.
RandomHalves random_halves(const Dataset& data);

/// What the rows that are not for training are said to be: "unbiased", "resampled", "biased", "as given", or "" where
/// the provenance does not say.
std::string test_part(const Dataset& data);
/// Why valid is no random sample to learn from: it was cut from the log, has one label only, or fewer than two users.
/// "" where it is one: called unbiased, or given by somebody who knows.
std::string not_random(const Dataset& data);

}  // namespace equipoise
