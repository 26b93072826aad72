// A recommender at its random start, moved a little, over a log it has read: what the tests of this folder look at.
#pragma once

#include "recommender/recommender.h"
#include "registry.h"

namespace equipoise::test {

/// Every array away from zero, so that nothing is equal by accident.
inline std::unique_ptr<Recommender> some_recommender(const Case& c, const Dataset& data, std::uint64_t seed = 1,
                                                     const Settings& settings = {}) {
  auto recipe = std::make_unique<Recipe>(c.method, c.base);
  for (const auto& [name, value] : c.with(settings)) {
    if (recipe->params().find(name) != nullptr) recipe->params().set(name, value);
  }
  auto out = std::make_unique<Recommender>(std::move(recipe), data, seed);
  Stream stream(seed, "fixture");
  for (Network& network : out->networks().all()) {
    for (TrainedArray& p : network.arrays()) {
      for (float& v : p.values()) v += static_cast<float>(0.3 * stream.normal());
    }
  }
  out->recipe().method().read(data);
  return out;
}

/// The same, frozen.
inline std::unique_ptr<const Recommender> some_frozen(const Case& c, const Dataset& data, std::uint64_t seed = 1,
                                                      const Settings& settings = {}) {
  return Recommender::frozen(some_recommender(c, data, seed, settings), one_thread());
}

inline float score_one(const Recommender& r, std::int32_t user, std::int32_t item) {
  float out = 0;
  r.score(std::span(&user, 1), std::span(&item, 1), std::span(&out, 1), one_thread());
  return out;
}

inline ListQuery first(std::size_t k, bool exclude_seen) { return {k, !exclude_seen, {}}; }

}  // namespace equipoise::test
