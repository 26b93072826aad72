// Whatever gives a score to user-item pairs.
#pragma once

#include <cstdint>
#include <span>

#include "core/parallel.h"

namespace equipoise {

struct Recommended {
  std::int32_t item;
  float score;  // a logit
};

/// Takes the k best, in the order of the users that were asked for: (place among them, list).
using TakeList = FunctionRef<void(std::size_t, std::span<const Recommended>)>;

class Scorer {
 public:
  virtual ~Scorer() = default;
  /// A logit for each pair: out[k] for (users[k], items[k]); the probability is its sigmoid.
  virtual void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
                     std::span<float> out) const = 0;
  /// Whether σ of a score is a chance; otherwise a score puts a user's items in order and says no more.
  virtual bool gives_chances() const { return true; }
  /// The k best of all items for each user, best first, without those that the user has in train. False, with nothing
  /// taken, where it has no faster way to them than scoring every pair.
  virtual bool lists(std::span<const std::int32_t> users, std::size_t k, TakeList take) const {
    static_cast<void>(users), static_cast<void>(k), static_cast<void>(take);
    return false;
  }
};

}  // namespace equipoise
