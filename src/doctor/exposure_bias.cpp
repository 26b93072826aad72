// Exposure bias: the two tests and what is called of them.
#include "doctor/exposure_bias.h"

#include <algorithm>

#include "doctor/user_sample.h"
#include "propensity/propensity.h"

namespace equipoise {

void ExposureBiasParams::describe(Params& p) {
  p("level", level, "exposure is called biased below this p-value", above(0), below(1));
  p("shuffles", shuffles, "shuffled logs behind a p-value of user dependence", between(19, 100000));
  p("shuffle_rows", shuffle_rows, "training rows, of drawn users, that are shuffled at most", at_least(100));
}

ExposureBias exposure_bias(const Dataset& data, const ExposureBiasParams& params, std::uint64_t seed) {
  ExposureBias out;
  out.level = params.level;
  out.concentration = concentration(count_rows(data.train.item, data.items.size()));
  out.items = item_uniformity(ShownSets(data.train, data.users.size(), data.items.size()), seed);
  const Dataset some = sample_users(data, static_cast<std::size_t>(params.shuffle_rows), seed);
  out.shuffled_rows = static_cast<std::int64_t>(some.train.size());
  out.users =
      user_dependence(ShownSets(some.train, some.users.size(), some.items.size()),
                      feature_columns(some.user_features, seed), static_cast<std::size_t>(params.shuffles), seed);
  out.p_value = std::min(1.0, 2 * std::min(out.items.p_value, out.users.p_value));
  return out;
}

}  // namespace equipoise
