// A test whether items were shown uniformly, whoever the user: of a training log, or of a test part said to be random.
#pragma once

#include <cstdint>
#include <string>

#include "core/json.h"
#include "doctor/shown_sets.h"

namespace equipoise {

struct ItemUniformity {
  std::size_t pairs = 0;
  std::size_t items_present = 0;  // of all
  double statistic = 0;           // X², with (items − 1) degrees of freedom
  double degrees = 0;
  double p_value = 1;
  std::string method;        // "monte-carlo" or "chi-square"
  double excess_spread = 0;  // standard deviation ÷ mean of the items' exposure, with what chance alone gives taken out
};

/// Given how many items each user was shown, a uniform law gives each item Σ_u T_u/N rows on average, with variance
/// v = Σ_u (T_u/N)(1 − T_u/N)·N/(N−1) around the others' mean: a user's items differ from one another, so that lists of
/// k items out of N vary less than k single draws. X² = Σ_i (T_i − T/N)² ÷ v. Few rows: against uniform logs drawn with
/// the same T_u; many: by the chi-square law.
ItemUniformity item_uniformity(const ShownSets& sets, std::uint64_t seed);
Json to_json(const ItemUniformity& finding);

}  // namespace equipoise
