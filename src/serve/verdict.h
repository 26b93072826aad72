// What to do, from values of the served models: ship one of them, keep exploring, or nothing that could be known.
#pragma once

#include <string>
#include <vector>

#include "app/value.h"

namespace equipoise {

struct Verdict {
  std::string decision;            // "ship", "keep exploring" or "cannot be known"
  std::vector<std::string> words;  // sentences that say why
};

/// Ship: the best model by DR is better than the lists that were shown, and no other is told to be better than it.
/// Keep exploring: no difference can be told yet. Cannot be known: wrong chances, or no model has overlap but the one
/// that made all the lists.
Verdict verdict_of(const Valuation& found);
Verdict cannot_be_known(std::string why);

}  // namespace equipoise
