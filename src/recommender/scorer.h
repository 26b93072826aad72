// Whatever gives a score to user-item pairs.
#pragma once

#include <cstdint>
#include <span>

namespace equipoise {

class Scorer {
 public:
  virtual ~Scorer() = default;
  /// A logit for each pair: out[k] for (users[k], items[k]); the probability is its sigmoid.
  virtual void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
                     std::span<float> out) const = 0;
};

}  // namespace equipoise
