// Scores of pairs, and how many of them rest on features and biases alone.
#include "app/score.h"

#include <fmt/format.h>

#include "app/guests.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/text.h"

namespace equipoise {

void ScoreParams::describe(Params& p) {
  p("probability", probability, "scores as probabilities instead of logits (which tell more of them apart)");
}

void check_chances(const Recommender& recommender) {
  if (recommender.recipe().method().scores_are_chances()) return;
  throw UsageError(fmt::format("the scores of {} order items and are no chances: ask for them without probability",
                               recommender.recipe().title()));
}

ColdPairs count_cold(const Recommender& recommender, const NumberedPairs& pairs) {
  ColdPairs cold;
  std::int64_t with_history = 0;
  for (const std::int32_t u : pairs.users) {
    const std::int32_t known = pairs.guests == nullptr ? u : pairs.guests->user[static_cast<std::size_t>(u)];
    cold.users += recommender.knows_user(known) != Known::trained ? 1 : 0;
    with_history += pairs.guests != nullptr && known_of(recommender, *pairs.guests, u) == std::string_view("history");
  }
  for (const std::int32_t i : pairs.items) cold.items += recommender.knows_item(i) != Known::trained;
  if (cold.users + cold.items > 0) {
    warn(
        fmt::format("of {} pairs {} have a user and {} an item without training rows: those are scored from {}features "
                    "and biases alone",
                    thousands(std::ssize(pairs.users)), thousands(cold.users), thousands(cold.items),
                    with_history > 0 ? "the items that were given, " : ""));
  }
  return cold;
}

void score(const Recommender& recommender, const NumberedPairs& pairs, const ScoreParams& params, std::span<float> out,
           Pool& pool, Ranks& ranks) {
  if (params.probability) check_chances(recommender);
  const Share own = share_of(std::ssize(out), ranks);
  recommender.score(part_of(std::span(pairs.users), own), part_of(std::span(pairs.items), own), part_of(out, own), pool,
                    pairs.guests);
  if (!ranks.alone()) {
    const std::vector<float> all = gather_all<float>(ranks, part_of(out, own));
    std::copy(all.begin(), all.end(), out.begin());
  }
  if (!params.probability) return;
  for (float& s : out) s = static_cast<float>(chance(static_cast<double>(s)));
}

}  // namespace equipoise
