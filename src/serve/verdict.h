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
/// Keep exploring: no difference can be told yet, and lists are drawn (`explores`). Cannot be known: wrong chances, or
/// no model has overlap but the one that made all the lists.
Verdict verdict_of(const Valuation& found, bool explores);
/// No model can be judged, as `why` says: more lists will tell where they are drawn.
Verdict nothing_yet(std::string why, bool explores);
Verdict cannot_be_known(std::string why);

}  // namespace equipoise
