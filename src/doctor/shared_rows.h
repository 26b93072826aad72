// Pairs that occur in more than one part of a data set, or more than once in one.
#pragma once

#include <cstdint>

#include "core/json.h"
#include "data/dataset.h"

namespace equipoise {

struct SharedRows {
  std::int64_t train_valid = 0, train_test = 0, valid_test = 0;               // pairs in both
  std::int64_t train_repeats = 0, valid_repeats = 0, test_repeats = 0;        // rows whose pair occurred there before
  std::int64_t train_conflicts = 0, valid_conflicts = 0, test_conflicts = 0;  // pairs that occur there with both labels
  std::int64_t other_label = 0;    // of the pairs that train shares: how many have another label there
  std::int64_t leaks_removed = 0;  // on import, as the provenance says

  std::int64_t leaks() const { return train_valid + train_test; }
};

SharedRows shared_rows(const Dataset& data);
Json to_json(const SharedRows& finding);

}  // namespace equipoise
