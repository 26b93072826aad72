// Scores as people ask for them: pairs of ids in, logits or probabilities out, in the same order.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "core/params.h"
#include "core/ranks.h"
#include "recommender/recommender.h"

namespace equipoise {

struct ScoreParams {
  bool probability = false;

  void describe(Params& p);
};

/// The chance that a logit stands for.
inline double chance(double logit) { return 1 / (1 + std::exp(-logit)); }

/// UsageError if the recommender's scores stand for none.
void check_chances(const Recommender& recommender);

/// Pairs by the recommender's numbers; −1 = an id that it does not know. With guests, users are their numbers.
struct NumberedPairs {
  std::vector<std::int32_t> users, items;
  const Guests* guests = nullptr;
};

/// The recommender's numbers of ids; −1 where it does not know one. `Id` is a std::string or a std::string_view.
template <class Id>
std::vector<std::int32_t> numbers_of(const IdMap& ids, std::span<const Id> texts) {
  std::vector<std::int32_t> out;
  out.reserve(texts.size());
  for (const Id& text : texts) out.push_back(ids.find(text));
  return out;
}

/// How many pairs have an end that the model has no training rows of.
struct ColdPairs {
  std::int64_t users = 0, items = 0;
};
/// Says so to the listener, too.
ColdPairs count_cold(const Recommender& recommender, const NumberedPairs& pairs);

/// UsageError if probabilities are asked for where scores are none. Ranks that ask for the same each score a part, and
/// all have all scores.
void score(const Recommender& recommender, const NumberedPairs& pairs, const ScoreParams& params, std::span<float> out,
           Pool& pool, Ranks& ranks = single_process());

}  // namespace equipoise
