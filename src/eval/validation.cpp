// The validation metric: the same value as in an evaluation, once, without resamples.
#include "eval/validation.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "core/error.h"
#include "eval/tally.h"

namespace equipoise {

ValidationMetric::ValidationMetric(const Dataset& data, Part part, std::string_view metric, int k)
    : data_(&data), metric_(&find_metric(metric)), k_(k) {
  const Candidates candidates(data, {}, part, 0);
  users_ = candidates.users();
  for (std::size_t slot = 0; slot < users_; ++slot) candidates.append(slot, lists_);
  if (!std::holds_alternative<OfAllPairs>(metric_->function)) items_.emplace(data);
  scores_.assign(lists_.pairs(), 0.0f);
  if (std::isnan(value())) {
    throw DataError(fmt::format("metric {} is not defined on the {} part of '{}': expected {}", metric_->name,
                                to_string(part), data.name,
                                metric_->needs == LabelNeed::a_positive ? "a positive row" : "rows of both labels"));
  }
}

double ValidationMetric::operator()(const Scorer& scorer) {
  score_block(scorer, *data_, lists_, scores_);
  return value();
}

double ValidationMetric::value() {
  if (const auto* over_all = std::get_if<OfAllPairs>(&metric_->function)) {
    ExactAuc auc;  // by itself: a tally of everything takes half a kilobyte for each user
    auc.add(0, scores_, lists_.label);
    auc.finish();
    return over_all->value(auc, {});
  }
  Tally tally(*items_, users_, k_, std::make_unique<ExactAuc>());
  tally.add(lists_, scores_, pool_);
  tally.finish();
  return tally.values()[static_cast<std::size_t>(metric_ - metric_table().data())];
}

}  // namespace equipoise
