// The public face of recommenders: metrics and scores, by any number of threads at once.
#include <limits>

#include "api/audience.h"
#include "api/hidden.h"
#include "api/model.h"
#include "app/evaluate.h"
#include "app/score.h"
#include "eval/list_metrics.h"

namespace equipoise {

EvaluationReport Model::evaluation(const Data& data, const Parameters& parameters, const Callbacks& callbacks) const {
  return guarded(callbacks, [&] {
    const WorkersOf workers(hidden_->pool, hidden_->taken);
    const Evaluation found = equipoise::evaluate(*hidden_->recommender, "the model", *Access::data(data),
                                                 with(EvaluateParams{}, parameters, "evaluate"), workers.pool());
    EvaluationReport out{found.protocol, found.k, {}, {}, found.user_lists, found.per_user};
    for (const MetricResult& one : found.metrics) out.metrics.push_back({one.name, {one.mean, one.low, one.high}});
    for (const std::int32_t user : found.users) out.users.push_back(data.users()[static_cast<std::size_t>(user)]);
    return out;
  });
}

std::map<std::string, MetricValue> Model::evaluate(const Data& data, const Parameters& parameters,
                                                   const Callbacks& callbacks) const {
  const EvaluationReport found = evaluation(data, parameters, callbacks);
  return {found.metrics.begin(), found.metrics.end()};
}

void Model::score(const Ids& users, const Ids& items, std::span<float> out, const Parameters& parameters,
                  const LogArrays& more_rows) const {
  guarded([&] {
    if (users.size() != items.size() || users.size() != out.size()) {
      throw UsageError("users, items and scores are not of the same length");
    }
    const Recommender& recommender = *hidden_->recommender;
    const Audience audience = audience_of(recommender, users, {.more_rows = more_rows});
    const NumberedPairs pairs{audience.numbers, numbers_of(recommender.items(), items), audience.given()};
    const WorkersOf workers(hidden_->pool, hidden_->taken);
    equipoise::score(recommender, pairs, with(ScoreParams{}, parameters, "score"), out, workers.pool());
  });
}

std::vector<float> Model::score(const Ids& users, const Ids& items, const Parameters& parameters,
                                const LogArrays& more_rows) const {
  std::vector<float> out(users.size());
  score(users, items, out, parameters, more_rows);
  return out;
}

double Model::score(const std::string& user, const std::string& item) const {
  return static_cast<double>(score(Ids(std::span(&user, 1)), Ids(std::span(&item, 1))).front());
}

double auc(std::span<const float> scores, std::span<const float> labels) {
  return guarded([&] {
    if (scores.size() != labels.size()) throw UsageError("scores and labels are not of the same length");
    std::vector<std::uint8_t> positive;
    for (const float label : labels) {
      if (label != 0 && label != 1) throw UsageError("labels must be 0 or 1");
      positive.push_back(label == 1 ? 1 : 0);
    }
    const RankedList list = Ranker(1)(scores, positive);
    return list.R == 0 ? std::numeric_limits<double>::quiet_NaN() : list_auc(list);
  });
}

double probability(double logit) { return chance(logit); }

}  // namespace equipoise
