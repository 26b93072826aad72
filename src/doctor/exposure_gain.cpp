// AUC within users, model by model, and its differences.
#include "doctor/exposure_gain.h"

#include <cmath>
#include <numeric>

#include "doctor/statistics.h"
#include "eval/distributions.h"

namespace equipoise {

namespace {

// P(shown scores above a rival) + ½ P(equal), summed over a user's held-out rows.
std::vector<double> wins_by_user(const std::vector<Answers>& answers, const std::vector<Fold>& folds,
                                 std::size_t users) {
  std::vector<double> out(users, 0.0);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (std::size_t t = 0; t < folds[f].shown.size(); ++t) {
      const float shown = answers[f].shown[t];
      double wins = 0;
      for (std::size_t k = t * kRivals; k < (t + 1) * kRivals; ++k) {
        const float rival = answers[f].rivals[k];
        wins += shown > rival ? 1 : shown == rival ? 0.5 : 0;
      }
      out[static_cast<std::size_t>(folds[f].shown.user[t])] += wins / kRivals;
    }
  }
  return out;
}

}  // namespace

std::vector<ExposureGain> exposure_gains(const std::vector<ExposureModel>& models,
                                         const std::vector<std::vector<Answers>>& answers,
                                         const std::vector<Fold>& folds, std::size_t users) {
  std::vector<double> rows(users, 0.0);
  for (const Fold& fold : folds) {
    for (const std::int32_t u : fold.shown.user) rows[static_cast<std::size_t>(u)] += 1;
  }
  if (std::accumulate(rows.begin(), rows.end(), 0.0) == 0) return {};
  // Folds repeat one another: an item that is shown more often by chance alone counts as a find in each. So the error
  // is that of one fold, √folds times that of independent rows.
  const double repeated = std::sqrt(static_cast<double>(folds.size()));
  std::vector<ExposureGain> out;
  ClusteredMean baseline;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const ClusteredMean auc = clustered_mean(wins_by_user(answers[m], folds, users), rows);
    if (m == 0) baseline = auc;
    ExposureGain gain{
        models[m].name, auc.value, repeated * auc.standard_error, auc.value - (m == 0 ? 0.5 : baseline.value), 0, 1};
    double squares = 0;
    for (std::size_t u = 0; u < users; ++u) {
      const double d = auc.influence[u] - (m == 0 ? 0 : baseline.influence[u]);
      squares += d * d;
    }
    gain.gain_error = repeated * std::sqrt(squares);
    if (gain.gain_error > 0) gain.p_value = normal_upper(gain.gain / gain.gain_error);
    out.push_back(gain);
  }
  return out;
}

Json to_json(const std::vector<ExposureGain>& finding) {
  Json out = Json::object();
  for (const ExposureGain& gain : finding) {
    out[gain.model] = Json::object({{"auc", gain.auc},
                                    {"auc_standard_error", gain.standard_error},
                                    {"gain", gain.gain},
                                    {"gain_standard_error", gain.gain_error},
                                    {"p_value", gain.p_value}});
  }
  return out;
}

}  // namespace equipoise
