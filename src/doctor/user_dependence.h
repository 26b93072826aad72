// A test whether who is shown what depends on the user, beyond how often users and items occur at all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.h"
#include "doctor/shown_sets.h"
#include "propensity/columns.h"

namespace equipoise {

/// One way to look for it: a value, what it is in logs shuffled so that every user and item keeps its count, and how
/// rare.
struct DependenceTest {
  std::string name;
  std::string sentence;
  double value = 0;
  double shuffled_mean = 0;
  double shuffled_deviation = 0;
  double p_value = 1;
};

struct UserDependence {
  std::vector<DependenceTest> tests;
  double p_value = 1;  // of all together: the largest of the standardised values against the shuffled logs' largest
  std::size_t shuffles = 0;
  bool features_known = false;

  const DependenceTest* find(std::string_view name) const;
};

/// Looks for: users of different items with different features (MMD beyond chance); users of different items with
/// different other items; users shown more popular items than others; and that by their features. The shuffled logs are
/// one chain of trades with the log at a random place in it, so that under no dependence the log's place among them is
/// uniform: the p-values are exact whatever the length of the chain.
UserDependence user_dependence(const ShownSets& sets, const Columns& features, std::size_t shuffles,
                               std::uint64_t seed);
Json to_json(const UserDependence& finding);

}  // namespace equipoise
