// How an evaluation chooses what is ranked: the part of the data and the protocol, each with a strict name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"

namespace equipoise {

/// The part that is evaluated on.
enum class Part { valid, test };
std::string to_string(Part part);
/// UsageError on anything but "valid" and "test".
Part parse_part(std::string_view name);
const Rows& rows_of(const Dataset& data, Part part);

/// test-items  each user's own rows of the part.
/// sampled:N   each positive of the part against N uniformly drawn items that the user has in no part (all of them
/// where
///             there are fewer).
/// full        every item, without those that the user has in an earlier part (train, and for test also valid); what
///             occurs in the part itself is always a candidate.
struct Protocol {
  enum class Kind { test_items, sampled, full };
  Kind kind = Kind::test_items;
  int negatives = 0;  // N of sampled:N

  std::string name() const;
};

/// UsageError, with the known names, on anything else.
Protocol parse_protocol(std::string_view name);

}  // namespace equipoise
