// Lists drawn by a policy, each item with its three chances; and the chances of a list that was made elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "policy/eligible_items.h"
#include "policy/plackett_luce.h"
#include "policy/policy.h"
#include "recommender/scorer.h"

namespace equipoise {

/// How likely the policy was to show an item where it did. None is 0 for an item that the policy may show.
struct Chances {
  double given_above = 1;  // of this item at this place, given those above it
  double at_place = 1;     // of this item at this place, whatever is above
  double in_list = 1;      // of this item anywhere in the list: its propensity
};

/// Working memory of one caller, kept from call to call, so that a warm call allocates nothing.
struct PolicyRoom {
  std::vector<std::uint32_t> numbers;
  std::vector<std::int32_t> items;
  std::vector<PlacedChance> placed;
  PlackettLuce plackett_luce;
};

/// Draws lists. What is drawn depends on (policy, seed, request, ranked items, eligible items, k) alone, so a list can
/// be made again. Any number of threads may call one, each with a room of its own.
class ListPolicy {
 public:
  ListPolicy(Policy policy, std::uint64_t seed);

  /// How many of the best items `ranked` below must hold at least, or all eligible ones if they are fewer.
  std::size_t ranked(std::size_t k) const { return policy_.ranked(k); }
  const Policy& policy() const { return policy_; }

  /// A list of min(k, eligible.size()) items. `ranked`: the best eligible items, best first, with their scores.
  void draw(std::string_view request, std::span<const Recommended> ranked, const EligibleItems& eligible, std::size_t k,
            PolicyRoom& room, std::vector<std::int32_t>& list, std::vector<Chances>& chances) const;
  /// The chances that this policy gives to the items of a whole list where they are; 0 where it never shows them.
  /// `eligible` counts the items that could be shown.
  void chances(std::span<const std::int32_t> list, std::span<const Recommended> ranked, std::size_t eligible,
               PolicyRoom& room, std::vector<Chances>& chances) const;

  /// Any item's chance: `uniform` for every eligible one, and beside it own[n] for the n-th best.
  struct Spread {
    double uniform = 0;
    std::vector<double> own;
  };
  /// The chances of being in a list of `length` (at most `eligible`) places; of one place from 0, where that is given.
  Spread spread(std::span<const Recommended> ranked, std::size_t eligible, std::size_t length,
                std::optional<std::size_t> place, PolicyRoom& room) const;
  /// The chances of the place after the items of `above`, with which the list begins; 0 where it never does. Those of
  /// `above` have none, whatever is said of them.
  Spread next(std::span<const std::int32_t> above, std::span<const Recommended> ranked, std::size_t eligible,
              std::size_t length, PolicyRoom& room) const;

 private:
  void best_chances(std::span<const std::int32_t> list, std::span<const Recommended> ranked, PolicyRoom& room) const;

  Policy policy_;
  std::uint64_t seed_;
};

}  // namespace equipoise
