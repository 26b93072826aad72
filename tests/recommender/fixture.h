// A recommender at its random start, moved a little, over a log it has read: what the tests of this room look at.
#pragma once

#include "recommender/recommender.h"
#include "registry.h"

namespace equipoise::test {

/// Every parameter away from zero, so that nothing is equal by accident.
inline std::unique_ptr<Recommender> some_recommender(const Case& c, const Dataset& data, Pool& pool,
                                                     std::uint64_t seed = 1) {
  auto out = std::make_unique<Recommender>(std::make_unique<Recipe>(c.method, c.base), data, seed, pool);
  Stream stream(seed, "fixture");
  for (Network& network : out->networks().all()) {
    for (Parameter& p : network.parameters()) {
      for (float& v : p.values()) v += static_cast<float>(0.3 * stream.normal());
    }
  }
  out->recipe().method().read(data);
  return out;
}

inline float score_one(const Scorer& scorer, std::int32_t user, std::int32_t item) {
  float out = 0;
  scorer.score(std::span(&user, 1), std::span(&item, 1), std::span(&out, 1));
  return out;
}

}  // namespace equipoise::test
