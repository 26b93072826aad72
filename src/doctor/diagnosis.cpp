// The findings in their order, and the whole as JSON.
#include "doctor/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "data/data_card.h"
#include "doctor/feature_exposure.h"
#include "doctor/statistics.h"
#include "doctor/test_part.h"
#include "doctor/user_sample.h"
#include "doctor/verdict.h"

namespace equipoise {

void DoctorParams::describe(Params& p) {
  exposure.describe(p);
  p("folds", folds, "parts that the shown rows are cut into, each held out once", between(2, 20));
  p("fit_rows", fit_rows, "training rows, of drawn users, that exposure models are fitted to at most", at_least(100));
  headroom.describe(p);
  p("seed", seed, "names every draw");
}

namespace {

void read_size(const Dataset& data, Diagnosis& out) {
  out.name = data.name;
  out.users = data.users.size();
  out.items = data.items.size();
  out.train = static_cast<std::int64_t>(data.train.size());
  out.valid = static_cast<std::int64_t>(data.valid.size());
  out.test = static_cast<std::int64_t>(data.test.size());
  out.density = static_cast<double>(out.train) / (static_cast<double>(out.users) * static_cast<double>(out.items));
  out.positives_only = data.positives_only;
  if (!data.withheld.empty()) out.withheld = sentence(data.withheld);
  out.test_part = test_part(data);
  out.card = data_card(data);
}

// Popularity first, the baseline; then models that know the user; then the other estimators of the table.
std::vector<ExposureModel> models_to_fit(const Dataset& data) {
  std::vector<ExposureModel> out = {{"popularity", popularity_propensity}, {"mf", mf_propensity}};
  if (!data.user_features.empty()) out.push_back({"features", feature_exposure});
  for (const PropensityEntry& entry : propensities()) {
    const bool taken = std::any_of(out.begin(), out.end(), [&](const auto& m) { return m.name == entry.name; });
    if (!taken && entry.make()->knows_every_pair()) out.push_back({entry.name, entry.make});
  }
  return out;
}

void look_at_models(const Dataset& data, const DoctorParams& params, Pool& pool, Diagnosis& out) {
  const Dataset some = sample_users(data, static_cast<std::size_t>(params.fit_rows), params.seed);
  out.fitted_rows = static_cast<std::int64_t>(some.train.size());
  const auto folds = make_folds(some, static_cast<std::size_t>(params.folds), params.seed);
  if (folds.front().fitted.empty()) {
    for (const PropensityEntry& entry : propensities()) {
      PropensityQuality& quality = out.propensities.emplace_back();
      quality.name = entry.name;
      quality.missing = fmt::format("no user has as many rows as there are folds, {}", params.folds);
    }
    return;
  }
  std::vector<ExposureModel> models = models_to_fit(some);
  const auto answers = ask(models, some, folds, params.seed, pool);
  for (const PropensityEntry& entry : propensities()) {
    const auto at = std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.name == entry.name; });
    out.propensities.push_back(
        at == models.end()
            ? log_quality(entry, data, params.seed)
            : held_out_quality(entry.name, answers[static_cast<std::size_t>(at - models.begin())], folds, some));
  }
  models.resize(some.user_features.empty() ? 2 : 3);
  out.gains = exposure_gains(models, answers, folds, static_cast<std::size_t>(some.users.size()));
}

void look_at_held_out(const Dataset& data, const DoctorParams& params, Diagnosis& out) {
  out.shared = shared_rows(data);
  const Rows rows = judged_rows(data);
  if (rows.empty()) return;
  const std::vector<double> counts = count_rows(data.train.item, data.items.size());
  if (out.test_part == "unbiased" && !data.positives_only) {
    out.labels = label_shift(data.train, rows, static_cast<std::size_t>(out.users), counts);
  }
  const ShownSets sets(rows, data.users.size(), data.items.size());
  HeldOutItems& items = out.held_out_items.emplace();
  items.uniformity = item_uniformity(sets, params.seed);
  const std::vector<double> there = sets.item_counts();
  items.correlation = pearson(there, counts);
  items.rank_correlation = pearson(ranks(there), ranks(counts));
  items.rank_correlation_p = correlation_p(items.rank_correlation, counts.size());
}

Json held_out_json(const HeldOutItems& finding) {
  Json out = to_json(finding.uniformity);
  out["rank_correlation_with_train"] = finding.rank_correlation;
  out["rank_correlation_p_value"] = finding.rank_correlation_p;
  out["correlation_with_train"] = finding.correlation;
  return out;
}

}  // namespace

Diagnosis diagnose(const Dataset& data, const DoctorParams& params, Pool& pool) {
  if (data.users.size() < 2 || data.items.size() < 2 || data.train.size() < 20) {
    throw DataError("a log of at least 2 users, 2 items and 20 training rows is needed to say anything about it");
  }
  Diagnosis out;
  if (params.headroom.headroom) out.headroom = headroom(data, params.headroom, params.seed, pool);
  read_size(data, out);
  out.exposure = exposure_bias(data, params.exposure, params.seed);
  look_at_models(data, params, pool, out);
  look_at_held_out(data, params, out);
  out.verdict = verdict(out);
  return out;
}

Json to_json(const Diagnosis& d) {
  Json lines = Json::array();
  for (const VerdictLine& s : d.verdict) lines.push_back("[" + how_known(s) + "] " + s.text);
  Json out = Json::object({{"name", d.name},
                           {"users", d.users},
                           {"items", d.items},
                           {"train", d.train},
                           {"valid", d.valid},
                           {"test", d.test},
                           {"leaks_removed", d.shared.leaks_removed},
                           {"density", d.density},
                           {"positives_only", d.positives_only},
                           {"test_part", d.test_part.empty() ? Json() : Json(d.test_part)},
                           {"exposure", Json::object({{"call", d.exposure.biased() ? "biased" : "unbiased"},
                                                      {"p_value", d.exposure.p_value}})},
                           {"concentration", to_json(d.exposure.concentration)},
                           {"item_uniformity", to_json(d.exposure.items)},
                           {"user_dependence", to_json(d.exposure.users)},
                           {"exposure_models", to_json(d.gains)},
                           {"propensities", to_json(d.propensities)},
                           {"labels", d.labels ? to_json(*d.labels) : Json()},
                           {"shared_pairs", to_json(d.shared)},
                           {"held_out_items", d.held_out_items ? held_out_json(*d.held_out_items) : Json()},
                           {"rows_shuffled", d.exposure.shuffled_rows},
                           {"rows_fitted", d.fitted_rows},
                           {"card", d.card},
                           {"verdict", std::move(lines)}});
  if (!d.withheld.empty()) out["withheld"] = d.withheld;
  if (d.headroom) out["headroom"] = to_json(*d.headroom);
  return out;
}

}  // namespace equipoise
