// How different the users of different items are, as figures.
#pragma once

#include "balance/balance.h"

namespace equipoise {

/// How far the users of two items are apart beyond chance (above_chance.h) ÷ the total variance of a row: free of
/// scale, and 0 on average if items were shown without regard to the user. May be below 0.
double imbalance(const Rows& log, std::size_t items, const Project& project, Pool& pool);

/// A discriminator of its own, trained on half of (at most 20,000) rows with φ held still: how often it guesses the
/// items of the other half, and how often one would by always naming the most frequent item.
struct Probe {
  double accuracy = 0;
  double chance = 0;
};
Probe probe(const Rows& log, std::size_t items, std::size_t width, const Project& project, std::uint64_t seed,
            Pool& pool);
/// Above this many items the probe costs too much and is left out.
inline constexpr std::size_t kMostProbeItems = 5000;

/// Both figures by name, for a method's findings: of users as they are (`before`) and as the context's `project` maps
/// them; the second where it is asked for.
Json imbalance_findings(const Rows& log, const BalanceContext& context, const Project& before, bool with_probe,
                        Pool& pool);

}  // namespace equipoise
