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

/// What labels rows have.
struct LabelCounts {
  std::size_t positives = 0, negatives = 0;

  bool both() const { return positives > 0 && negatives > 0; }
  /// Rows say what users did and nothing of what they did not: they can be ranked only against the other items.
  bool positives_only() const { return positives > 0 && negatives == 0; }
};
LabelCounts count_labels(const Rows& rows);

/// test-items  each user's own rows of the part.
/// sampled:N   each positive of the part against N uniformly drawn items that the user has in no part (all of them
/// where
///             there are fewer).
/// full        every item, without those that the user has in an earlier part (train, and for test also valid); what
///             occurs in the part itself is always a candidate.
/// In sampled and full, items that the log withholds from a user are no candidates, unless they occur in the part.
struct Protocol {
  enum class Kind { test_items, sampled, full };
  Kind kind = Kind::test_items;
  int negatives = 0;  // N of sampled:N

  std::string name() const;
};

/// The protocol of a part unless told otherwise, by its own labels. A part with positives only is ranked against the
/// catalogue: `full`, unless the data set names `sampled:N`. One with both labels is ranked as the data set says, and
/// as `test-items` where the log has positives only: then its negatives are known to be some.
std::string own_protocol(const Dataset& data, Part part);

/// UsageError, with the known names, on anything else.
Protocol parse_protocol(std::string_view name);

}  // namespace equipoise
